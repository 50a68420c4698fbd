/**
 * Memory Inbox in the host's memory slot. `register` only says what there is: hosts call it often, and on
 * command lines that never use it. The bridge starts with the service, or with the first request.
 */

import { Bridge } from "./bridge.mjs";
import { settingsOf } from "./config.mjs";
import { sayOnce } from "./once.mjs";
import { createRuntime } from "./runtime.mjs";
import { LOOKUP, tellsAudiences, toolFor, TOOLS } from "./tools.mjs";
import { flushPlan, memoryPrompt } from "./words.mjs";

/** @typedef {import("./types.d.ts").PluginApi} PluginApi */

const ID = "memory-inbox"; // that of the manifest, which references bear
const OLD_HOST =
  "memory-inbox: this host does not read memory through its provider, so it recalls nothing by itself; " +
  "the tools memory_remember, memory_forget and memory_search work.";

export default {
  id: ID,
  name: "Memory Inbox",
  description: "Memories that agents draft and an operator ratifies.",

  /** @param {PluginApi} api */
  register(api) {
    const { command, timeoutMs, ownerReads } = settingsOf(api.pluginConfig);
    const { logger } = api;
    const bridge = new Bridge({ command, providerId: ID, timeoutMs, logger });
    let hasAudiences = false;
    const providerRuntime = createRuntime(bridge, ID, () => (hasAudiences = true));

    api.registerMemoryCapability({
      providerRuntime,
      promptBuilder: memoryPrompt,
      recallToolNames: [...LOOKUP],
      providerFlushPlanResolver: flushPlan,
      publicArtifacts: {
        listArtifacts: async () => (await bridge.call("artifacts", {})).artifacts,
      },
    });
    for (const declaration of TOOLS) {
      api.registerTool(
        (turn) => {
          hasAudiences ||= tellsAudiences(turn);
          const knowsAudiences = () => {
            if (!hasAudiences) sayOnce(OLD_HOST, (words) => logger.warn(words));
            return hasAudiences;
          };
          return toolFor({ bridge, declaration, turn, ownerReads, knowsAudiences });
        },
        { name: declaration.name },
      );
    }
    api.registerService({
      id: ID,
      start: () => bridge.warm(),
      stop: () => providerRuntime.closeAllMemorySearchManagers(),
    });
    api.lifecycle?.onDispose?.(() => bridge.dispose());
  },
};
