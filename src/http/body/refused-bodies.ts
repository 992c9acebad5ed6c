/**
 * As many long bodies are received at once although they were refused. Each takes some MB of memory for a moment, and
 * strangers send as many as they like. Who sends one more is answered at once.
 */
const AT_ONCE_MAX = 8;

/** The refused bodies that a server is receiving. */
export class RefusedBodies {
  #now = 0;

  /** Receives one more, unless there are too many. */
  async receive(work: () => Promise<void>): Promise<void> {
    if (this.#now === AT_ONCE_MAX) return;
    this.#now++;
    try {
      await work();
    } finally {
      this.#now--;
    }
  }
}
