/** Every message of the JSON transcripts keeps to the schema, and the schema is no pushover. */

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { Ajv2020 } from "ajv/dist/2020.js";

/** @param {string} path in the repository */
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

// What a reference allows may be narrowed beside it, where its type is not said again.
const ajv = new Ajv2020({ strictTypes: false }).addSchema(JSON.parse(read("docs/protocol.schema.json")), "protocol");
const request = ajv.compile({ $ref: "protocol#/$defs/request" });
const response = ajv.compile({ $ref: "protocol#/$defs/response" });

/** The messages of a transcript: what was said and what came of it. @param {string} name */
function transcript(name) {
  /** @type {{line: string, answers: {type: string}[]}[]} */
  const messages = [];
  for (const line of read(`crates/protocol/tests/transcripts/${name}.txt`).trimEnd().split("\n")) {
    if (line.startsWith("< ")) messages.at(-1)?.answers.push(JSON.parse(line.slice(2)));
    else messages.push({ line, answers: [] });
  }
  return messages;
}

test("every message keeps to the schema", () => {
  let [asked, answered] = [0, 0];
  for (const name of ["jsonl-questions", "jsonl-malformed", "jsonl-busy"]) {
    for (const { line, answers } of transcript(name)) {
      for (const answer of answers) {
        expect(response(answer), `${name}: ${JSON.stringify(answer)}: ${ajv.errorsText(response.errors)}`).toBe(true);
        answered += 1;
      }
      if (!line.startsWith("> ") || answers.some(({ type }) => type === "error")) continue;
      expect(request(JSON.parse(line.slice(2))), `${name}: ${line}: ${ajv.errorsText(request.errors)}`).toBe(true);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(15);
  expect(answered).toBeGreaterThan(50);
});

test("what is no message is refused by the schema too", () => {
  for (const wrong of [
    {},
    { id: 7 },
    { id: "a", depht: 7 },
    { id: "a", depth: 0 },
    { id: "a", level: 5, depth: 5 },
    { id: "a", size: 9 },
    { id: "a", turns: [1, 1] },
    { id: "a", action: "fly" },
    { id: "a", action: "cancel" },
  ]) {
    expect(request(wrong), JSON.stringify(wrong)).toBe(false);
  }
  for (const wrong of [
    { type: "answer", id: "a" },
    { type: "goodbye", id: "a", x: 1 },
  ]) {
    expect(response(wrong), JSON.stringify(wrong)).toBe(false);
  }
});
