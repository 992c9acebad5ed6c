/**
 * For values that never change once they exist: each is looked up once and kept in memory only. A value that
 * was not found (null) is looked up again. When the memory is full, all of it is dropped.
 */
export function remembering<Key, Found>(
  countMax: number,
  find: (key: Key) => Found | null,
): (key: Key) => Found | null {
  const remembered = new Map<Key, Found>();
  return (key) => {
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const found = find(key);
    if (found === null) return null;
    if (remembered.size >= countMax) remembered.clear();
    remembered.set(key, found);
    return found;
  };
}

/**
 * Keeps values that are looked up often and may change, in memory only. A value is valid for the store's
 * revision under which it was read (`revision.ts`). A missing value is not kept, so that a new one is found
 * at once.
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

/**
 * Puts a value last, and removes the first ones where there are more than `countMax`: those that were put longest ago.
 * For memory that strangers could fill.
 */
export function putLast<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, countMax: number): void {
  values.delete(key);
  values.set(key, value);
  for (const oldest of values.keys()) {
    if (values.size <= countMax) return;
    values.delete(oldest);
  }
}
