/**
 * A bridge that behaves as its first argument says, for what the real one does not do.
 *
 * `echo` answers with method, parameters and how many it holds, after `params.ms`; `late` never greets; `noise` writes
 * something else; `other` speaks another version; `crash` ends at once; `deaf` greets and answers nothing;
 * `long` answers with a line over the limit. A second argument is a file to which every message is added.
 */

import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [mode, journal] = process.argv.slice(2);
let held = 0;
const say = (/** @type {object} */ message) => process.stdout.write(`${JSON.stringify(message)}\n`);

if (mode === "crash") process.exit(3);
if (mode === "noise") process.stdout.write("Welcome!\n");

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (journal) appendFileSync(journal, `${method} ${id ?? params.id}\n`);
  if (method === "initialize") {
    if (mode !== "late") say({ jsonrpc: "2.0", id, result: { protocol: mode === "other" ? 2 : 1 } });
    return;
  }
  if (id === undefined || mode === "deaf") return;
  if (mode === "long") {
    process.stdout.write("x".repeat(9 * 1024 * 1024));
    return;
  }
  if (method === "die") process.exit(1);
  if (method === "refuse") {
    say({ jsonrpc: "2.0", id, error: { code: -32003, message: "it has changed", data: { kind: "conflict" } } });
    return;
  }
  held += 1;
  const result = { method, params, held };
  setTimeout(() => {
    held -= 1;
    say({ jsonrpc: "2.0", id, result });
  }, params.ms ?? 0);
}).on("close", () => process.exit(0));
