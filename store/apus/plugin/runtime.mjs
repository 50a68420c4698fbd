/** The host's door to the provider: leases are opened here, and closed by the agent or all together. */

import { lease } from "./lease.mjs";

/** @typedef {import("./bridge.mjs").Bridge} Bridge */
/** @typedef {import("./types.d.ts").Handle} Handle */
/** @typedef {import("./types.d.ts").ProviderRuntime} ProviderRuntime */

/**
 * @param {Bridge} bridge
 * @param {string} providerId
 * @param {() => void} opened is called at each `open`: an older host never does
 * @returns {ProviderRuntime}
 */
export function createRuntime(bridge, providerId, opened) {
  /** @type {Map<Handle, string>} */
  const leases = new Map(); // the open ones, with their agents

  /** @param {(agentId: string) => boolean} which */
  async function close(which) {
    const chosen = [...leases].filter(([, agentId]) => which(agentId));
    await Promise.all(chosen.map(([handle]) => handle.close()));
  }

  return {
    async open(request) {
      opened();
      const { agentId, context } = request;
      const named = typeof agentId === "string" && agentId !== "";
      if (!named || !context?.authority || typeof context.assertCurrent !== "function") {
        return { provider: null, error: "memory is opened for an agent, with an authority" };
      }
      context.assertCurrent();
      const provider = lease({ bridge, providerId, request, left: () => leases.delete(provider) });
      leases.set(provider, agentId);
      return { provider };
    },

    prepareReload(change) {
      if (change?.retireRuntime === false) return { drain: async () => {}, resume: () => {} };
      bridge.fence();
      return { drain: () => bridge.drained(), resume: () => bridge.resume() };
    },

    closeMemorySearchManager: ({ agentId }) => close((each) => each === agentId),

    async closeAllMemorySearchManagers() {
      await close(() => true);
      await bridge.stop();
    },
  };
}
