/** The provider as one `open` hands it out: bound to one agent and one authority, until it is closed. */

import { requireReader } from "./authority.mjs";
import { capabilities, checkCandidates, checkGet, checkSearch, fieldsOf } from "./checks.mjs";
import { MemoryFailure } from "./errors.mjs";

/** @typedef {import("./bridge.mjs").Bridge} Bridge */
/** @typedef {import("./types.d.ts").Handle} Handle */
/** @typedef {import("./types.d.ts").OpenRequest} OpenRequest */

/** Fields of the results, so that nothing reaches the host that its contract does not know. */
const PAGE = ["hits", "nextCursor", "coverage", "warning"];
const FOUND = ["status", "reference", "text", "citations", "truncated", "from", "lines", "nextFrom"];
const HEALTH = ["status", "message", "details"];

/**
 * Return the provider for one caller.
 *
 * @param {object} given
 * @param {Bridge} given.bridge
 * @param {string} given.providerId
 * @param {OpenRequest} given.request
 * @param {() => void} given.left is called once, when it is closed
 * @returns {Handle}
 */
export function lease({ bridge, providerId, request: { agentId, context, purpose }, left }) {
  const caller = { agentId, authority: context.authority, ...(purpose === undefined ? {} : { purpose }) };
  const closing = new AbortController();

  /**
   * @param {string} method
   * @param {object} params
   * @param {string[]} names of the fields that go out
   * @returns {Promise<any>}
   */
  async function ask(method, params, names) {
    if (closing.signal.aborted) throw new MemoryFailure("unavailable", "the memory provider was closed");
    context.assertCurrent();
    const result = await bridge.call(
      method,
      { caller, ...params },
      { signals: [context.signal, closing.signal], beforeSend: () => context.assertCurrent() },
    );
    context.assertCurrent();
    // Between the answer and this moment the host may have given up.
    if (context.signal?.aborted || closing.signal.aborted) throw new MemoryFailure("cancelled");
    return only(names, result);
  }

  /** @type {typeof ask} */
  async function read(method, params, names) {
    requireReader(context.authority, agentId);
    return ask(method, params, names);
  }

  return {
    capabilities: capabilities(),

    async search(request) {
      const fields = fieldsOf(request);
      checkSearch(fields);
      const { query, maxResults, minScore, cursor, sources, activeProjectKeys } = fields;
      return read("search", { query, maxResults, minScore, cursor, sources, activeProjectKeys }, PAGE);
    },

    async get(request) {
      const fields = fieldsOf(request);
      checkGet(fields, providerId);
      const { reference, from, lines } = fields;
      return read("get", { reference, from, lines }, FOUND);
    },

    async candidates(request) {
      const fields = fieldsOf(request);
      checkCandidates(fields);
      const { kind, limit, activeProjectKeys } = fields;
      return read("candidates", { kind, limit, activeProjectKeys }, PAGE);
    },

    async health() {
      try {
        return await ask("health", {}, HEALTH);
      } catch (error) {
        const down = error instanceof MemoryFailure && error.kind === "unavailable";
        if (!down || closing.signal.aborted) throw error;
        context.assertCurrent();
        return { status: "unavailable", message: error.message };
      }
    },

    async refresh() {
      await ask("refresh", {}, []);
    },

    /** Ends what is under way for this caller; the bridge and other leases go on. */
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      left();
    },
  };
}

/**
 * @param {string[]} names
 * @param {any} result
 */
function only(names, result) {
  return Object.fromEntries(names.filter((name) => result?.[name] !== undefined).map((name) => [name, result[name]]));
}
