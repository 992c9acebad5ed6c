/** A live key that was looked up; `lastUsedAt` is moved on with every recorded use. */
export type KnownKey = { readonly workspaceId: string; readonly id: string; lastUsedAt: number | null };

/**
 * Live keys that were looked up, by their full text, in memory only. They hold for the revision of the store they were read under;
 * keys that open nothing are not kept, so that a new one opens at once.
 */
export class KnownKeys {
  readonly #keys = new Map<string, KnownKey>();
  #revision = Number.NaN;

  constructor(private readonly countMax: number) {}

  get(key: string, revision: number): KnownKey | undefined {
    this.#holdFor(revision);
    return this.#keys.get(key);
  }

  /** `revision` is the store's before the key was read. Full: all others are forgotten. */
  add(key: string, known: KnownKey, revision: number): KnownKey {
    if (this.#keys.size >= this.countMax) this.#keys.clear();
    this.#holdFor(revision);
    this.#keys.set(key, known);
    return known;
  }

  #holdFor(revision: number): void {
    if (revision === this.#revision) return;
    this.#keys.clear();
    this.#revision = revision;
  }
}
