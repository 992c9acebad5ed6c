/**
 * What was looked up and is asked for again and again, in memory only. It holds for the revision of the store it was read under; what is
 * not there is not kept, so that something new is found at once.
 */
export class Remembered<T> {
  readonly #values = new Map<string, T>();
  #revision = Number.NaN;

  constructor(private readonly countMax: number) {}

  get(key: string, revision: number): T | undefined {
    this.#holdFor(revision);
    return this.#values.get(key);
  }

  /** `revision` is the store's before the value was read. Full: all others are forgotten. */
  add(key: string, value: T, revision: number): T {
    if (this.#values.size >= this.countMax) this.#values.clear();
    this.#holdFor(revision);
    this.#values.set(key, value);
    return value;
  }

  #holdFor(revision: number): void {
    if (revision === this.#revision) return;
    this.#values.clear();
    this.#revision = revision;
  }
}
