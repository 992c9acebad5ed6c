import { KeptBytes } from "#core/kept-bytes.ts";

/**
 * Collects an answer that ends with a dot on a line of its own (RFC 1939, section 3), piece by piece as it arrives.
 * Removes the dot that was added to each line that begins with one. Keeps the first `bytesMax` bytes and counts the
 * others. Only lines that begin with a dot are looked at one by one, because an answer may have millions of lines.
 */
export class DotBlock {
  readonly #kept: KeptBytes;
  #bytes = 0;
  #isAtLineStart = true;
  /** The start of a line that begins with a dot: what it means is not known until more has arrived. */
  #carry: Uint8Array = new Uint8Array(0);

  constructor(bytesMax: number) {
    this.#kept = new KeptBytes(bytesMax);
  }

  /** The length so far, including bytes that were not kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The bytes after the end in this piece; null if the end has not come yet. */
  feed(piece: Uint8Array): Uint8Array | null {
    const data = Buffer.concat([this.#carry, piece]);
    this.#carry = data.subarray(0, 0);
    let at = 0;
    while (at < data.length) {
      if (this.#isAtLineStart && data[at] === DOT) {
        if (data.length - at < END.length) {
          this.#carry = data.subarray(at);
          return null;
        }
        if (END.every((byte, index) => data[at + index] === byte)) return data.subarray(at + END.length);
        at++;
      }
      const found = data.indexOf(LINE_WITH_DOT, at);
      const to = found === -1 ? data.length : found + 1;
      this.#keep(data.subarray(at, to));
      this.#isAtLineStart = data[to - 1] === LF;
      at = to;
    }
    return null;
  }

  text(): Uint8Array {
    return this.#kept.bytes();
  }

  #keep(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#kept.add(bytes);
  }
}

const [LF, DOT] = [0x0a, 0x2e];
const END = [DOT, 0x0d, LF];
const LINE_WITH_DOT = Buffer.from([LF, DOT]);
