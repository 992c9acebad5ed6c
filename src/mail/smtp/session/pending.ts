/** A question that may be open, one at a time. An answer without an open question does nothing. */
export class Pending<T> {
  #open: PromiseWithResolvers<T> | null = null;

  /** The answer to the open question; null: there is none. */
  get answer(): Promise<T> | null {
    return this.#open?.promise ?? null;
  }

  ask(): Promise<T> {
    this.#open = Promise.withResolvers();
    return this.#open.promise;
  }

  settle(value: T): void {
    const open = this.#open;
    this.#open = null;
    open?.resolve(value);
  }
}
