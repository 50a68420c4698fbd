/**
 * Who may read, by the host's contract; the bridge decides the same again from the same words.
 *
 * Only what the host grants counts: nothing is made out from ids, keys or how they look.
 */

import { MemoryFailure } from "./errors.mjs";

/** @typedef {import("./types.d.ts").Authority} Authority */

/**
 * Refuse a caller who may read nothing of an agent.
 *
 * @param {Authority} authority
 * @param {string} agentId the agent that the provider was opened for
 * @throws {MemoryFailure} permission_denied
 */
export function requireReader(authority, agentId) {
  switch (authority?.kind) {
    case "operator":
      return;
    case "session": {
      const { sandboxed, audience } = authority;
      if (sandboxed !== false) throw denied("a sandboxed session has no memory");
      if (!audience) throw denied("the host grants this session no memory audience");
      if (audience.agentId !== agentId) throw denied("the session's audience is another agent's");
      return;
    }
    case "host":
      throw denied("the host may ask for nothing but health");
    default:
      throw denied("the host does not say who asks");
  }
}

/** @param {string} why */
function denied(why) {
  return new MemoryFailure("permission_denied", why);
}
