/** A model on loopback that keeps a memory when it is offered the tool, and then says that it did. */

import { createServer } from "node:http";

const TOOL = "memory_remember";

/** @typedef {{ messages: any[], tools: string[] }} Asked */

export class Model {
  /** @type {Asked[]} */
  asked = [];
  #server;
  #memory;

  /** @param {object} memory what it keeps: the arguments of `memory_remember` */
  constructor(memory) {
    this.#memory = memory;
    this.#server = createServer((request, response) => {
      /** @type {Buffer[]} */
      const parts = [];
      request.on("data", (part) => parts.push(part));
      request.on("end", () => this.#answer(JSON.parse(Buffer.concat(parts).toString()), response));
    });
  }

  /** Listen on a free port and return the base URL. @returns {Promise<string>} */
  async listen() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve(undefined)));
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}/v1`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** What it was told besides the user's words, in its first question with tools. */
  get system() {
    const first = this.asked.find(({ tools }) => tools.length > 0);
    const texts = first?.messages.filter(({ role }) => role === "system").map(({ content }) => content);
    return JSON.stringify(texts ?? []);
  }

  /** What its tool calls were answered. */
  get answers() {
    return this.asked.flatMap(({ messages }) => messages.filter(({ role }) => role === "tool"));
  }

  /**
   * @param {any} question
   * @param {import("node:http").ServerResponse} response
   */
  #answer({ messages, tools = [] }, response) {
    /** @type {string[]} */
    const names = tools.map((/** @type {any} */ tool) => tool.function.name);
    this.asked.push({ messages, tools: names });
    const done = messages.some((/** @type {any} */ { role }) => role === "tool");
    const call = done ? undefined : this.#call(names);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const delta = call ? { tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] } : { content: "Noted." };
    for (const [part, reason] of /** @type {const} */ ([[{ role: "assistant", ...delta }, null], [{}, call ? "tool_calls" : "stop"]])) {
      const choices = [{ index: 0, delta: part, finish_reason: reason }];
      const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "mock", choices };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  }

  /** @param {string[]} names of the tools on offer */
  #call(names) {
    if (names.includes(TOOL)) return { name: TOOL, arguments: JSON.stringify(this.#memory) };
    // This host offers the tools of plugins through one that calls them by their names.
    if (names.includes("tool_call")) return { name: "tool_call", arguments: JSON.stringify({ id: TOOL, args: this.#memory }) };
    return undefined;
  }
}
