// Runs a test program that was compiled to WebAssembly. It can neither print nor read: a test that fails traps, and the
// trace that Node shows names it.
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
process.exitCode = instance.exports.main(0, 0);
