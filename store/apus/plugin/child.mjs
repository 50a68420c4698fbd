/** One child process that speaks JSON by lines: started, heard, written to and ended. */

import { spawn } from "node:child_process";

import { LineReader } from "./lines.mjs";

const LOGGED = 2000; // characters of a line of its log
const LINGER = 1000; // ms that its pipes may stay open after its end
const PATIENCE = [3000, 1000]; // ms: for an end of its own, then for one on SIGTERM

/**
 * @typedef {object} Heard
 * @property {(message: any) => void} message an object that it wrote
 * @property {(line: string) => void} log a line of its log
 * @property {(why: string) => void} ended once: it is gone, or nothing sensible comes from it any more
 * @property {() => void} drained it takes more again
 */

export class Child {
  #process;
  #heard;
  #ended = false;

  /**
   * Start it. That it cannot be started is heard as its end.
   *
   * @param {string[]} command
   * @param {Heard} heard
   */
  constructor(command, heard) {
    this.#heard = heard;
    const [program, ...rest] = command;
    const child = spawn(/** @type {string} */ (program), rest, { stdio: "pipe", windowsHide: true });
    this.#process = child;
    child.on("error", (/** @type {NodeJS.ErrnoException} */ error) => this.#end(whyNot(error)));
    child.on("close", (code, signal) => this.#end(`it ended (${signal ?? `code ${code}`})`));
    child.stdin.on("error", () => this.#end("it reads no more"));
    child.stdin.on("drain", () => heard.drained());
    const messages = new LineReader((line) => this.#take(line));
    child.stdout.on("data", (chunk) => this.#read(messages, chunk));
    const log = new LineReader((line) => heard.log(line.slice(0, LOGGED)));
    child.stderr.on("data", (chunk) => this.#read(log, chunk));
  }

  /**
   * Write a message. What is written after its end goes nowhere.
   *
   * @param {string} line without its end
   * @returns {boolean} whether it takes more now; else `drained` is heard
   */
  write(line) {
    return this.#ended || this.#process.stdin.write(`${line}\n`);
  }

  /**
   * Keep this process alive for it, or not: a host that waits for nothing may end.
   *
   * @param {boolean} needed
   */
  hold(needed) {
    const { stdin, stdout, stderr } = this.#process;
    for (const each of /** @type {any[]} */ ([this.#process, stdin, stdout, stderr])) {
      if (needed) each.ref?.();
      else each.unref?.();
    }
  }

  /** End it: by closing its input, then by signals. Resolves when it is gone; never rejects. */
  async end() {
    const child = this.#process;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    this.hold(true);
    child.stdin.end();
    for (const [at, patience] of PATIENCE.entries()) {
      if (await within(gone, patience)) return;
      child.kill(at === 0 ? "SIGTERM" : "SIGKILL");
    }
    await gone;
  }

  /** @param {LineReader} reader @param {Buffer} chunk */
  #read(reader, chunk) {
    try {
      reader.push(chunk);
    } catch {
      this.#end("a line of it is too long");
    }
  }

  /** @param {string} line */
  #take(line) {
    if (this.#ended) return;
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.#end("it wrote something else than its protocol");
      return;
    }
    this.#heard.message(message);
  }

  /** @param {string} why */
  #end(why) {
    if (this.#ended) return;
    this.#ended = true;
    this.#process.kill("SIGKILL"); // gone already, or of no use any more
    this.#heard.ended(why);
  }
}

/**
 * @param {Promise<unknown>} event
 * @param {number} ms
 * @returns {Promise<boolean>} whether it came in time
 */
function within(event, ms) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    event.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** @param {NodeJS.ErrnoException} error */
function whyNot(error) {
  return error.code === "ENOENT" ? "the program was not found" : `it did not start (${error.code})`;
}
