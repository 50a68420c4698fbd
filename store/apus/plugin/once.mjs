/** Saying something once in the life of a host, which evaluates this plugin's modules more than once. */

const SAID = Symbol.for("memory-inbox.said");

/**
 * @param {string} words
 * @param {(words: string) => void} say
 */
export function sayOnce(words, say) {
  const home = /** @type {Record<symbol, Set<string> | undefined>} */ (/** @type {unknown} */ (globalThis));
  const said = (home[SAID] ??= new Set());
  if (said.has(words)) return;
  said.add(words);
  say(words);
}
