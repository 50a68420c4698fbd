/** What the provider has declared that it can, and the refusal of everything else before anything is sent. */

import { MemoryFailure } from "./errors.mjs";

/** @typedef {import("./types.d.ts").Capabilities} Capabilities */

/** @returns {Capabilities} a new one each time: a host may keep it and change it */
export function capabilities() {
  return { sources: ["memory"], pagination: true, candidates: ["trigger", "project"], projectFilter: true };
}

const DECLARED = capabilities();

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>} the value, an object
 * @throws {MemoryFailure} it is none
 */
export function fieldsOf(value) {
  if (!value || typeof value !== "object" || Array.isArray(value)) refuse("the request is no object");
  return /** @type {Record<string, unknown>} */ (value);
}

/** @param {Record<string, unknown>} request @throws {MemoryFailure} */
export function checkSearch({ query, sources, cursor }) {
  if (typeof query !== "string") refuse("query: expected a text");
  if (cursor !== undefined && typeof cursor !== "string") refuse("cursor: expected a text");
  if (sources === undefined) return;
  const known = /** @type {unknown[]} */ (DECLARED.sources);
  if (!Array.isArray(sources) || sources.length === 0 || !sources.every((each) => known.includes(each))) {
    refuse("sources: there is only memory");
  }
}

/** @param {Record<string, unknown>} request @throws {MemoryFailure} */
export function checkCandidates({ kind }) {
  const known = /** @type {unknown[]} */ (DECLARED.candidates);
  if (!known.includes(kind)) refuse(`kind: expected one of ${known.join(", ")}`);
}

/**
 * @param {Record<string, unknown>} request
 * @param {string} providerId
 * @throws {MemoryFailure} it has no reference, or another provider's
 */
export function checkGet({ reference }, providerId) {
  const { providerId: owner, id } = fieldsOf(reference);
  if (typeof id !== "string" || id === "") refuse("reference.id: expected a text");
  if (owner !== providerId) throw new MemoryFailure("permission_denied", "the reference is another provider's");
}

/** @param {string} why @returns {never} */
function refuse(why) {
  throw new MemoryFailure("invalid_argument", why);
}
