/** Who asks in these tests. */

/** @typedef {import("../../../store/apus/plugin/types.d.ts").Audience} Audience */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").Authority} Authority */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").ToolTurn} ToolTurn */

/** @type {Audience} */
export const OWNER = { kind: "owner-private", agentId: "main" };
/** @type {Audience} */
export const TALK = { kind: "conversation", agentId: "main", sessionKey: "agent:main:talk", sessionId: "s-1" };
/** @type {Audience} */
export const OTHER_TALK = { kind: "conversation", agentId: "main", sessionKey: "agent:main:talk", sessionId: "s-2" };
/** @type {Authority} */
export const OPERATOR = { kind: "operator", scopes: ["operator.read"] };
/** @type {Authority} */
export const HOST = { kind: "host", operation: "wiki-search" };

/**
 * @param {Audience} [audience]
 * @param {boolean} [sandboxed]
 * @returns {Authority}
 */
export function session(audience, sandboxed = false) {
  return { kind: "session", sessionKey: "agent:main:main", sessionId: "s-1", sandboxed, ...(audience && { audience }) };
}

/**
 * A turn on a host that grants audiences.
 *
 * @param {Audience} [audience]
 * @param {Partial<ToolTurn>} [more]
 * @returns {ToolTurn}
 */
export function turn(audience, more = {}) {
  const said = audience && { memoryAudience: audience };
  return { agentId: "main", sessionKey: "agent:main:main", sessionId: "s-1", assertInvocationCurrent() {}, ...said, ...more };
}

/** What a model may write. @param {object} [more] */
export function memory(more = {}) {
  return {
    type: "feedback",
    scope: "global",
    title: "Commits are small",
    content: "Commits are small and each stands by itself: reviews go faster.",
    ...more,
  };
}
