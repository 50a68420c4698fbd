/** The operator's configuration, as the host hands it over: what is not of its shape is taken as unset. */

/** @typedef {import("./types.d.ts").PluginConfig} PluginConfig */

/**
 * @typedef {object} Settings
 * @property {string[]} command the whole command line of the bridge
 * @property {number} timeoutMs of one request
 * @property {boolean} ownerReads whether an owner's turns search on a host that knows no audiences
 */

const TIMEOUT = { unset: 15_000, least: 100, most: 600_000 };

/**
 * Return the settings that a configuration means.
 *
 * @param {unknown} value `api.pluginConfig`
 * @returns {Settings}
 */
export function settingsOf(value) {
  /** @type {PluginConfig} */
  const config = value && typeof value === "object" ? value : {};
  const { command, store, exportDir, timeoutMs, ownerReads } = config;
  const program = Array.isArray(command) && command.length > 0 && command.every(isText) ? command : ["memory-inbox"];
  return {
    command: [
      ...program,
      "bridge",
      ...(isText(store) ? ["--store", store] : []),
      ...(isText(exportDir) ? ["--export-dir", exportDir] : []),
    ],
    timeoutMs:
      typeof timeoutMs === "number" && Number.isFinite(timeoutMs)
        ? Math.min(Math.max(timeoutMs, TIMEOUT.least), TIMEOUT.most)
        : TIMEOUT.unset,
    ownerReads: ownerReads === true,
  };
}

/** @param {unknown} value @returns {value is string} */
function isText(value) {
  return typeof value === "string" && value !== "";
}
