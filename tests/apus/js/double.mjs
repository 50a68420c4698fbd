/**
 * A double of the host that holds the plugin to the contract.
 *
 * It checks what the host checks and throws where the host would; what the host leaves to the plugin
 * (least scores, counts, the fields of a result, who may read) it checks as well, as `Breach`.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** @typedef {import("../../../store/apus/plugin/types.d.ts").Authority} Authority */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").Handle} Handle */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").MemoryCapability} MemoryCapability */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").PluginApi} PluginApi */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").SearchPage} SearchPage */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").Service} Service */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").Tool} Tool */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").ToolTurn} ToolTurn */

const FOLDER = new URL("../../../store/apus/plugin/", import.meta.url);
const SOURCES = ["memory", "sessions"];
const KINDS = ["trigger", "project"];
const NEVER = ["version", "agentId", "providerId"]; // at the top of a result

export const manifest = JSON.parse(readFileSync(new URL("openclaw.plugin.json", FOLDER), "utf8"));

/** Something that the contract forbids and the host does not notice. */
export class Breach extends Error {}

/** An authority that was revoked: what `assertCurrent` throws. */
export class Revoked extends Error {}

/** Who asks: counts how often it was asked whether it still may, and can be revoked. */
export class Asking {
  asserted = 0;
  revoked = false;
  #abort = new AbortController();

  /** @param {Authority} authority */
  constructor(authority) {
    this.authority = authority;
    this.signal = this.#abort.signal;
  }

  assertCurrent() {
    this.asserted += 1;
    if (this.revoked) throw new Revoked("the authority was revoked");
  }

  cancel() {
    this.#abort.abort();
  }
}

/** @type {Authority} */
const OPERATOR = { kind: "operator", scopes: ["operator.read"] };

export class Host {
  /** @type {{level: string, message: string}[]} */
  logged = [];
  /** @type {MemoryCapability | undefined} */
  capability;
  /** @type {Map<string, (turn: ToolTurn) => Tool>} */
  tools = new Map();
  /** @type {Service[]} */
  services = [];
  /** @type {(() => unknown)[]} */
  #disposers = [];

  /**
   * @param {{register(api: PluginApi): void}} plugin
   * @param {object} pluginConfig
   */
  constructor(plugin, pluginConfig) {
    this.plugin = plugin;
    this.pluginConfig = pluginConfig;
  }

  /** Register the plugin, as each load of it does. */
  register() {
    this.capability = undefined;
    this.tools.clear();
    this.services = [];
    const log = (/** @type {string} */ level) => (/** @type {string} */ message) => {
      this.logged.push({ level, message });
    };
    const returned = this.plugin.register({
      id: manifest.id,
      pluginConfig: this.pluginConfig,
      logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
      registerMemoryCapability: (capability) => {
        assert.equal(this.capability, undefined, "one capability a registration");
        this.capability = capability;
      },
      registerTool: (tool, { name }) => {
        assert.ok(manifest.contracts.tools.includes(name), `${name} is in the manifest`);
        assert.equal(typeof tool, "function");
        this.tools.set(name, tool);
      },
      registerService: (service) => this.services.push(service),
      lifecycle: { onDispose: (dispose) => void this.#disposers.push(dispose) },
    });
    assert.equal(returned, undefined, "register is synchronous");
    assert.deepEqual([...this.tools.keys()].sort(), [...manifest.contracts.tools].sort());
    return this;
  }

  async start() {
    for (const service of this.services) await service.start({ stateDir: "/nowhere" });
    return this;
  }

  /** Reload, in the order that the host has. */
  async reload() {
    const leaving = this.capability?.providerRuntime.prepareReload({ retireRuntime: true });
    await leaving?.drain();
    await this.stop();
    this.register();
    await this.start();
  }

  async stop() {
    await this.capability?.providerRuntime.closeAllMemorySearchManagers();
    for (const service of this.services) await service.stop({});
  }

  async dispose() {
    await this.stop();
    for (const dispose of this.#disposers) await dispose();
  }

  /**
   * Open the provider and check it as the host does.
   *
   * @param {Asking} [context]
   * @param {string} [agentId]
   * @returns {Promise<Handle>}
   */
  async open(context = new Asking(OPERATOR), agentId = "main") {
    const runtime = this.capability?.providerRuntime;
    assert.ok(runtime);
    const { provider, error } = await runtime.open({ cfg: {}, agentId, context });
    if (!provider) throw new Error(error);
    for (const name of /** @type {const} */ (["search", "get", "health", "close"])) {
      assert.equal(typeof provider[name], "function", name);
    }
    const { sources, pagination, candidates, projectFilter } = provider.capabilities;
    assert.ok(sources.length > 0 && sources.every((source) => SOURCES.includes(source)));
    assert.equal(typeof pagination, "boolean");
    assert.equal(typeof projectFilter, "boolean");
    assert.ok(candidates.every((kind) => KINDS.includes(kind)));
    assert.equal(candidates.length > 0, typeof provider.candidates === "function");
    return this.#watched(provider, context);
  }

  /**
   * Open, use and close the provider.
   *
   * @template T
   * @param {(handle: Handle) => Promise<T>} use
   * @param {Asking} [context]
   * @param {string} [agentId]
   */
  async with(use, context, agentId) {
    const handle = await this.open(context, agentId);
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  }

  /**
   * Call a tool in a turn.
   *
   * @param {string} name
   * @param {object} params
   * @param {ToolTurn} turn
   * @param {AbortSignal} [signal]
   */
  async call(name, params, turn, signal) {
    const tool = this.tools.get(name)?.(turn);
    assert.ok(tool);
    const { content, details } = await tool.execute("call-1", params, signal);
    assert.ok(content.length > 0 && content.every(({ type, text }) => type === "text" && text));
    return { text: content.map(({ text }) => text).join("\n"), details: /** @type {any} */ (details) };
  }

  /**
   * @param {Handle} handle
   * @param {Asking} context
   * @returns {Handle}
   */
  #watched(handle, context) {
    /**
     * @template R
     * @param {() => Promise<R>} run
     */
    const guarded = async (run) => {
      const before = context.asserted;
      const result = await run();
      if (context.asserted < before + 2) throw new Breach("not asserted before and after");
      for (const name of NEVER) {
        if (Object.hasOwn(/** @type {object} */ (result ?? {}), name)) throw new Breach(`${name} in a result`);
      }
      return result;
    };
    return {
      capabilities: handle.capabilities,
      search: async (request) => page(await guarded(() => handle.search(request)), request.minScore, request.maxResults),
      candidates: async (request) => page(await guarded(() => handle.candidates(request)), undefined, request.limit),
      get: async (request) => {
        const found = await guarded(() => handle.get(request));
        if (found.status === "ok") {
          own(found.reference);
          if (found.reference.id !== request.reference.id) throw new Breach("another record");
          if (request.reference.revision && found.reference.revision !== request.reference.revision) {
            throw new Breach("another revision");
          }
        }
        return found;
      },
      health: async () => {
        const found = await guarded(() => handle.health());
        assert.ok(["ready", "degraded", "unavailable"].includes(found.status));
        if (JSON.stringify(found).includes("/")) throw new Breach("a path in health");
        return found;
      },
      refresh: () => guarded(() => handle.refresh()),
      close: () => handle.close(),
    };
  }
}

/** @param {{providerId: string}} reference */
function own(reference) {
  assert.equal(reference.providerId, manifest.id);
}

/**
 * @param {SearchPage} found
 * @param {number | undefined} minScore
 * @param {number | undefined} most
 */
function page(found, minScore, most) {
  for (const hit of found.hits) {
    own(hit.reference);
    for (const { reference } of hit.citations ?? []) if (reference) own(reference);
    if (minScore !== undefined && (hit.score ?? 0) < minScore) throw new Breach("a score under the least");
  }
  if (most !== undefined && found.hits.length > most) throw new Breach("more than was asked for");
  if (found.coverage && !["complete", "partial"].includes(found.coverage)) throw new Breach("coverage");
  return found;
}
