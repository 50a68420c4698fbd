/**
 * Requests to `memory-inbox bridge`: one child for all, started by the first request, started again after
 * it died. JSON-RPC 2.0, one object a line; answers come in any order.
 */

import { Child } from "./child.mjs";
import { failureOf, MemoryFailure } from "./errors.mjs";
import { LINE_LIMIT } from "./lines.mjs";

/** @typedef {import("./types.d.ts").CallOptions} CallOptions */
/** @typedef {import("./types.d.ts").Logger} Logger */

/**
 * @typedef {object} Request
 * @property {number} id
 * @property {string} method
 * @property {object} params
 * @property {(() => void) | undefined} beforeSend
 * @property {boolean} sent
 * @property {(result: any) => void} succeed
 * @property {(error: unknown) => void} fail
 */

export const PROTOCOL = 1;
const IN_FLIGHT = 64;
const WAITING = 1024; // beyond it requests are refused at once
const GREETING = 20_000; // ms that a start may take: Python imports, on a busy machine
const PAUSE = { first: 50, most: 30_000 }; // ms before the next start, doubled by each that answered nothing

export class Bridge {
  #command;
  #providerId;
  #timeoutMs;
  #logger;
  /** @type {Child | null} */
  #child = null;
  #ready = false;
  #full = false;
  #failures = 0;
  #notBefore = 0;
  /** @type {NodeJS.Timeout | null} */
  #restart = null;
  /** @type {NodeJS.Timeout | null} */
  #greeting = null;
  #fenced = false;
  /** @type {(() => void)[]} */
  #idle = []; // who waits for the last answer
  #disposed = false;
  #lastId = 0;
  /** @type {Map<number, Request>} */
  #open = new Map(); // all that wait for an answer, sent or not, oldest first
  #sent = 0;

  /**
   * @param {object} options
   * @param {string[]} options.command
   * @param {string} options.providerId what references of this provider say
   * @param {number} options.timeoutMs of a request, waiting included
   * @param {Logger} options.logger
   */
  constructor({ command, providerId, timeoutMs, logger }) {
    this.#command = command;
    this.#providerId = providerId;
    this.#timeoutMs = timeoutMs;
    this.#logger = logger;
  }

  /**
   * Make a request and return its result.
   *
   * @param {string} method
   * @param {object} params
   * @param {CallOptions} [options]
   * @returns {Promise<any>} rejects with `MemoryFailure`, or with what `beforeSend` threw
   */
  call(method, params, { signals = [], beforeSend } = {}) {
    if (this.#disposed) return Promise.reject(new MemoryFailure("unavailable", "the plugin was unloaded"));
    if (this.#fenced) return Promise.reject(new MemoryFailure("unavailable", "the plugin is being reloaded; try again"));
    if (this.#open.size >= IN_FLIGHT + WAITING) {
      return Promise.reject(new MemoryFailure("unavailable", "too many requests wait; try again"));
    }
    const heeded = signals.filter((signal) => signal !== undefined);
    if (heeded.some((signal) => signal.aborted)) return Promise.reject(new MemoryFailure("cancelled"));
    return new Promise((resolve, reject) => {
      const id = (this.#lastId += 1);
      /** @param {MemoryFailure} failure */
      const give = (failure) => {
        if (request.sent) this.#put(lineOf({ method: "$/cancel", params: { id } }));
        request.fail(failure);
        this.#pump();
      };
      const cancel = () => give(new MemoryFailure("cancelled"));
      const late = () => give(new MemoryFailure("unavailable", "the memory store did not answer in time"));
      const timer = setTimeout(late, this.#timeoutMs);
      const settle = () => {
        clearTimeout(timer);
        for (const signal of heeded) signal.removeEventListener("abort", cancel);
        this.#open.delete(id);
        if (request.sent) this.#sent -= 1;
        if (this.#open.size > 0) return;
        this.#hold();
        for (const resolve of this.#idle.splice(0)) resolve();
      };
      /** @type {Request} */
      const request = {
        id,
        method,
        params,
        beforeSend,
        sent: false,
        succeed: (result) => (settle(), resolve(result)),
        fail: (error) => (settle(), reject(error)),
      };
      for (const signal of heeded) signal.addEventListener("abort", cancel, { once: true });
      this.#open.set(id, request);
      this.#hold();
      this.#pump();
    });
  }

  /** Start the child before there is a request, for the first one to find it ready. */
  warm() {
    this.#fenced = false;
    if (this.#disposed || this.#child) return;
    this.#start();
    this.#hold();
  }

  /** Take no new requests until `resume` or `stop`. */
  fence() {
    this.#fenced = true;
  }

  /** Take requests again. */
  resume() {
    this.#fenced = false;
  }

  /** Resolves when no request waits for an answer; each has its time-out, so that is soon. */
  async drained() {
    if (this.#open.size > 0) await new Promise((resolve) => this.#idle.push(() => resolve(undefined)));
  }

  /** End the child. A later request starts another. Resolves when it is gone; never rejects. */
  async stop() {
    const child = this.#child;
    this.#abandon("the memory store was closed");
    this.#failures = this.#notBefore = 0;
    this.#fenced = false;
    await child?.end();
  }

  /** End for good; may be called again. */
  async dispose() {
    this.#disposed = true;
    await this.stop();
  }

  /** Let the host's process end when nobody waits for the child. */
  #hold() {
    this.#child?.hold(this.#open.size > 0);
  }

  /** Write what may be written now; start the child if there is none. */
  #pump() {
    if (!this.#ready) {
      if (this.#open.size > 0) this.#start();
      return;
    }
    for (const request of this.#open.values()) {
      if (this.#full || this.#sent >= IN_FLIGHT) return;
      if (!request.sent) this.#write(request);
    }
  }

  /** @param {Request} request */
  #write(request) {
    const { id, method, params } = request;
    try {
      const line = lineOf({ id, method, params });
      request.beforeSend?.();
      request.sent = true;
      this.#sent += 1;
      this.#put(line);
    } catch (error) {
      request.fail(error);
    }
  }

  /** @param {string} line */
  #put(line) {
    if (this.#child && !this.#child.write(line)) this.#full = true;
  }

  #start() {
    if (this.#child || this.#restart) return;
    const wait = this.#notBefore - Date.now();
    if (wait > 0) {
      this.#restart = setTimeout(() => {
        this.#restart = null;
        this.#pump();
      }, wait);
      this.#restart.unref();
      return;
    }
    /** @type {Child} */
    const child = new Child(this.#command, {
      message: (message) => this.#child === child && this.#hear(message),
      log: (line) => this.#logger.debug?.(`memory-inbox: ${line}`),
      ended: (why) => this.#child === child && this.#lost(why),
      drained: () => {
        if (this.#child !== child) return;
        this.#full = false;
        this.#pump();
      },
    });
    this.#child = child;
    this.#greeting = setTimeout(() => this.#giveUp("it did not greet in time"), GREETING);
    this.#greeting.unref();
    const params = { protocol: PROTOCOL, providerId: this.#providerId };
    this.#put(lineOf({ id: 0, method: "initialize", params }));
  }

  /** @param {any} message */
  #hear(message) {
    if (message?.id === 0 && !this.#ready) {
      if (message.error || message.result?.protocol !== PROTOCOL) {
        this.#giveUp("it speaks another version of the protocol");
        return;
      }
      this.#ready = true;
      if (this.#greeting) clearTimeout(this.#greeting);
      this.#pump();
      return;
    }
    this.#failures = 0;
    const request = this.#open.get(message?.id);
    if (!request?.sent) return; // of a request that was given up
    if ("error" in message) request.fail(failureOf(message.error));
    else request.succeed(message.result);
    this.#pump();
  }

  /** @param {string} why */
  #giveUp(why) {
    const child = this.#child;
    this.#lost(why);
    void child?.end();
  }

  /** @param {string} why */
  #lost(why) {
    this.#logger.warn(`memory-inbox bridge: ${why}`);
    this.#notBefore = Date.now() + Math.min(PAUSE.most, PAUSE.first * 2 ** this.#failures);
    this.#failures += 1;
    const hopeless = !this.#ready;
    this.#drop();
    for (const request of [...this.#open.values()]) {
      if (request.sent) {
        request.fail(new MemoryFailure("unavailable", "the memory store ended before it answered; try again"));
      } else if (hopeless) {
        request.fail(new MemoryFailure("unavailable", `the memory store could not be started: ${why}`));
      }
    }
    this.#pump();
  }

  /** @param {string} why */
  #abandon(why) {
    this.#drop();
    for (const request of [...this.#open.values()]) request.fail(new MemoryFailure("unavailable", why));
  }

  /** Forget the child. */
  #drop() {
    for (const timer of [this.#greeting, this.#restart]) if (timer) clearTimeout(timer);
    this.#greeting = this.#restart = null;
    this.#child = null;
    this.#ready = this.#full = false;
  }
}

/**
 * @param {object} message
 * @throws {MemoryFailure} it is longer than a line may be, or not JSON
 */
function lineOf(message) {
  let line;
  try {
    line = JSON.stringify({ jsonrpc: "2.0", ...message });
  } catch {
    throw new MemoryFailure("invalid_argument");
  }
  if (Buffer.byteLength(line) > LINE_LIMIT) throw new MemoryFailure("too_large");
  return line;
}
