/** Lines out of chunks of bytes: whole ones only, and none longer than the limit. */

export const LINE_LIMIT = 8 * 1024 * 1024; // bytes, either way

export class LineReader {
  /** @type {Buffer[]} */
  #parts = [];
  #length = 0;
  #limit;
  #take;

  /**
   * @param {(line: string) => void} take gets each line without its end
   * @param {number} [limit] bytes
   */
  constructor(take, limit = LINE_LIMIT) {
    this.#take = take;
    this.#limit = limit;
  }

  /**
   * Take the next bytes.
   *
   * @param {Buffer} chunk
   * @throws {RangeError} a line is longer than the limit
   */
  push(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#hold(chunk.subarray(start, end));
      const line = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
      this.#take(line);
    }
    this.#hold(chunk.subarray(start));
  }

  /** @param {Buffer} part */
  #hold(part) {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length > this.#limit) throw new RangeError("a line is too long");
    this.#parts.push(part);
  }
}
