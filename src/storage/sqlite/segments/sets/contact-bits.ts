/**
 * A set of contacts by `contacts.seq`: one bit each, so that a million are 125 KB and combining rules takes a few
 * machine words.
 */
export class ContactBits {
  readonly #words: Uint32Array<ArrayBuffer>;

  /** @param source the highest seq, for an empty set; or the words of another set */
  constructor(source: number | Uint32Array<ArrayBuffer>) {
    this.#words = typeof source === "number" ? new Uint32Array((source >>> 5) + 1) : source;
  }

  /** The words of the set, for another thread. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.#words;
  }

  add(seq: number): void {
    const at = seq >>> 5;
    if (at < this.#words.length) this.#words[at] = this.#word(at) | (1 << (seq & 31));
  }

  addAll(seqs: readonly number[]): void {
    for (const seq of seqs) this.add(seq);
  }

  has(seq: number): boolean {
    return (this.#word(seq >>> 5) & (1 << (seq & 31))) !== 0;
  }

  and(other: ContactBits): ContactBits {
    return new ContactBits(this.#words.map((word, at) => word & other.#word(at)));
  }

  or(other: ContactBits): ContactBits {
    return new ContactBits(this.#words.map((word, at) => word | other.#word(at)));
  }

  /** Those of this set that are not in the other one. */
  without(other: ContactBits): ContactBits {
    return new ContactBits(this.#words.map((word, at) => word & ~other.#word(at)));
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  get size(): number {
    return this.#words.reduce((sum, word) => sum + bitsOf(word), 0);
  }

  /** At most `limit` after `after`, lowest first. */
  ascending(after: number, limit: number): number[] {
    const found: number[] = [];
    const end = this.#words.length * 32;
    let seq = after + 1;
    while (seq < end && found.length < limit) {
      if (this.#word(seq >>> 5) === 0) seq |= 31;
      else if (this.has(seq)) found.push(seq);
      seq++;
    }
    return found;
  }

  /** At most `limit` before `before`, highest first. */
  descending(before: number, limit: number): number[] {
    const found: number[] = [];
    let seq = Math.min(before, this.#words.length * 32) - 1;
    while (seq >= 0 && found.length < limit) {
      // A word of zeros is skipped at once.
      if (this.#word(seq >>> 5) === 0) seq &= ~31;
      else if (this.has(seq)) found.push(seq);
      seq--;
    }
    return found;
  }

  #word(at: number): number {
    return this.#words[at] ?? 0;
  }
}

function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
