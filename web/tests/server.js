/** A server of a test's own, for tests that end it, fill it or would be disturbed by others. */

import { spawn } from "node:child_process";

/** The program; `cargo xtask test` says where it is. */
export const binary = process.env.EMILIA_BINARY ?? "";

/** @param {number} port 0 for a free one @param {string[]} options @returns {Promise<{address: string, kill: () => void}>} */
export function start(port, ...options) {
  const words = ["serve", "--addr", `127.0.0.1:${port}`, ...options, "--no-open", "--log", "error"];
  const child = spawn(binary, words, { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => void child.kill("SIGKILL");
  return new Promise((resolve) => child.stdout.once("data", (said) => resolve({ address: String(said).trim(), kill })));
}
