/**
 * The libraries of the page, copied as they are from the packages of package-lock.json into vendor/, each with its
 * licence; the page has no build step that could fetch them. With `--check` nothing is written: any difference fails.
 */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** What is taken of each package. */
const TAKEN = { gifenc: ["dist/gifenc.esm.js", "LICENSE.md"], qr: ["index.js", "index.d.ts", "LICENSE-MIT"] };

const here = import.meta.dirname;
const check = process.argv.includes("--check");
const rows = [];
/** @type {Map<string, string>} what vendor/ has to hold */
const files = new Map();
for (const [name, taken] of Object.entries(TAKEN)) {
  const from = join(here, "node_modules", name);
  const { version, license, homepage } = JSON.parse(await readFile(join(from, "package.json"), "utf8"));
  rows.push(`| [${name}](${homepage}) | ${version} | ${license} |`);
  for (const file of taken) files.set(join(name, basename(file)), await readFile(join(from, file), "utf8"));
}
files.set(
  "README.md",
  `# Libraries of the page

Copied by \`npm run vendor\` as their authors published them; \`cargo xtask web\` compares them with their packages.
\`gifenc.esm.d.ts\` alone is ours, as that package has no types.

| library | version | licence |
|---|---|---|
${rows.join("\n")}
`,
);

for (const [file, text] of files) {
  const path = join(here, "vendor", file);
  const held = await readFile(path, "utf8").catch(() => null);
  if (held === text) continue;
  if (check) {
    console.error(`vendor/${file} is not the one of its package: npm run vendor`);
    process.exitCode = 1;
  } else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
