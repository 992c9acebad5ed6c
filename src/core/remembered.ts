/**
 * Keeps values that are looked up often, in memory only. A value holds for the revision of the store it was
 * read under. A missing value is not kept, so that a new one is found at once.
 */
export class Remembered<T> {
  readonly #values = new Map<string, T>();
  #revision = Number.NaN;

  constructor(private readonly countMax: number) {}

  get(key: string, revision: number): T | undefined {
    this.#holdFor(revision);
    return this.#values.get(key);
  }

  /**
   * `revision` is the store's revision before the value was read. When the memory is full, all other values
   * are dropped.
   */
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
