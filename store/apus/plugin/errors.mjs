/** Failures as the host gets them: no path, no text of a memory, and the kind for whoever wants to tell them apart. */

/** @typedef {import("./types.d.ts").FailureKind} FailureKind */

/** @type {Readonly<Record<FailureKind, string>>} */
const WITHOUT_WORDS = {
  invalid_argument: "the request is not as the memory store takes it",
  permission_denied: "this caller may not do that with memories",
  not_found: "there is no such memory",
  conflict: "the memory has changed meanwhile",
  unavailable: "the memory store cannot be reached now; try again",
  too_large: "that is larger than the memory store takes",
  cancelled: "the request was cancelled",
  internal: "the memory store failed",
};
const LONGEST = 500;

export class MemoryFailure extends Error {
  /**
   * @param {FailureKind} kind
   * @param {string} [message]
   */
  constructor(kind, message) {
    super(message || WITHOUT_WORDS[kind]);
    this.name = kind === "cancelled" ? "AbortError" : "MemoryFailure";
    this.kind = kind;
  }
}

/**
 * Return the failure that an error of the bridge's protocol says.
 *
 * @param {unknown} error the `error` member of an answer
 */
export function failureOf(error) {
  const { message, data } = /** @type {{message?: unknown, data?: {kind?: unknown}}} */ (
    error && typeof error === "object" ? error : {}
  );
  const said = data?.kind;
  const kind = /** @type {FailureKind} */ (
    typeof said === "string" && Object.hasOwn(WITHOUT_WORDS, said) ? said : "internal"
  );
  return new MemoryFailure(kind, typeof message === "string" ? message.slice(0, LONGEST) : "");
}
