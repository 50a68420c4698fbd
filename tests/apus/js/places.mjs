/** Real stores and the real bridge for tests. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import plugin from "../../../store/apus/plugin/index.mjs";
import { Host } from "./double.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const COMMAND = process.env["MEMORY_INBOX_COMMAND"] ?? join(ROOT, ".venv", "bin", "memory-inbox");

/** A store of its own in a folder of its own, and what an operator does with it. */
export class Place {
  folder = mkdtempSync(join(tmpdir(), "apus-"));
  store = join(this.folder, "inbox.db");

  /**
   * Run a command of the operator's.
   *
   * @param {string[]} words
   */
  run(...words) {
    return this.feed("", ...words);
  }

  /**
   * Run a command of the operator's with a text on its standard input.
   *
   * @param {string} input
   * @param {string[]} words
   */
  feed(input, ...words) {
    return execFileSync(COMMAND, ["--store", this.store, ...words], { encoding: "utf8", cwd: this.folder, input });
  }

  /** Return what waits for a decision. @returns {any[]} */
  pending() {
    return this.#listed("pending");
  }

  /** Return what is recalled. @returns {any[]} */
  canonical() {
    return this.#listed("canonical");
  }

  /** @param {string} status */
  #listed(status) {
    if (!existsSync(this.store)) return []; // nobody has written yet
    const lines = this.run("list", "--all", "--status", status, "--json").split("\n");
    return lines.filter((line) => line).map((line) => JSON.parse(line));
  }

  /**
   * Return a host with the plugin over this store.
   *
   * @param {object} [config]
   */
  host(config = {}) {
    return new Host(plugin, { command: [COMMAND], store: this.store, ...config }).register();
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
