/** The agents' tools: declared in tools.json, answered by the bridge for the audience that the host grants the turn. */

import { readFileSync } from "node:fs";

import { MemoryFailure } from "./errors.mjs";

/** @typedef {import("./bridge.mjs").Bridge} Bridge */
/** @typedef {import("./types.d.ts").Tool} Tool */
/** @typedef {import("./types.d.ts").ToolTurn} ToolTurn */

/** @type {Omit<Tool, "execute">[]} */
export const TOOLS = JSON.parse(readFileSync(new URL("./tools.json", import.meta.url), "utf8"));
export const PERSISTENCE = ["memory_remember"];
export const LOOKUP = ["memory_search"];

/** @type {Readonly<Record<string, string>>} */
const METHODS = { memory_remember: "remember", memory_forget: "forget", memory_search: "searchTool" };

/**
 * Return a tool for one turn.
 *
 * @param {object} given
 * @param {Bridge} given.bridge
 * @param {Omit<Tool, "execute">} given.declaration
 * @param {ToolTurn} given.turn
 * @param {boolean} given.ownerReads see `Settings`
 * @param {() => boolean} given.knowsAudiences whether the host has the contract's audiences
 * @returns {Tool}
 */
export function toolFor({ bridge, declaration, turn, ownerReads, knowsAudiences }) {
  const method = /** @type {string} */ (METHODS[declaration.name]);
  const assertCurrent = () => {
    turn.assertInvocationCurrent?.();
    turn.assertMemoryAudienceCurrent?.();
  };
  return {
    ...declaration,
    async execute(_id, params, signal) {
      const agentId = turn.agentId;
      if (!agentId) throw new MemoryFailure("permission_denied", "the host does not say whose turn it is");
      const tool = { ...said(turn), toolsOnly: !knowsAudiences(), ownerReads };
      const caller = { agentId, authority: authorityOf(turn) };
      const result = await bridge.call(
        method,
        { caller, tool, params: params ?? {} },
        { signals: [signal], beforeSend: assertCurrent },
      );
      assertCurrent();
      return { content: result.content, details: result.details };
    },
  };
}

/**
 * Tell whether a turn comes from a host that has audiences; that it grants none is no sign.
 *
 * @param {ToolTurn} turn
 */
export function tellsAudiences(turn) {
  return "memoryAudience" in turn || "memoryFlush" in turn || "assertMemoryAudienceCurrent" in turn;
}

/** @param {ToolTurn} turn @returns {import("./types.d.ts").Authority} */
function authorityOf({ sessionKey, sessionId, sandboxed, memoryAudience }) {
  return {
    kind: "session",
    sessionKey: sessionKey ?? "",
    sandboxed: sandboxed === true,
    ...(sessionId ? { sessionId } : {}),
    ...(memoryAudience ? { audience: memoryAudience } : {}),
  };
}

/** @param {ToolTurn} turn */
function said({ agentId, sessionKey, sessionId, senderIsOwner, sandboxed, memoryAudience, memoryFlush, workspaceDir }) {
  const flushId = memoryFlush?.flushId;
  return { agentId, sessionKey, sessionId, senderIsOwner, sandboxed, audience: memoryAudience, flushId, workspaceDir };
}
