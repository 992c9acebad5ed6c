/**
 * Bytes that arrive in pieces, in one growing buffer: a piece may be of one byte, and a buffer for each would take 100
 * times its bytes. Keeps the first `bytesMax` bytes.
 */
export class KeptBytes {
  #room = new Uint8Array(0);
  #length = 0;

  constructor(private readonly bytesMax: number) {}

  add(piece: Uint8Array): void {
    const kept = piece.subarray(0, this.bytesMax - this.#length);
    if (kept.length === 0) return;
    const needed = this.#length + kept.length;
    if (needed > this.#room.length) this.#grow(needed);
    this.#room.set(kept, this.#length);
    this.#length = needed;
  }

  /** Not a copy. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#room.subarray(0, this.#length);
  }

  /** The same bytes with Node's methods. Not a copy. */
  buffer(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#room.buffer, 0, this.#length);
  }

  /** At least doubles the room, so that each byte is copied only a few times. */
  #grow(needed: number): void {
    const larger = new Uint8Array(Math.min(this.bytesMax, Math.max(needed, 2 * this.#room.length)));
    larger.set(this.bytes());
    this.#room = larger;
  }
}
