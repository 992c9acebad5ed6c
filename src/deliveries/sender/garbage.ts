/** The runtime's garbage collector: for recent objects, or for everything. */
export type Collector = { young(): void; all(): void };

const YOUNG_EVERY = 500;
const ALL_EVERY = 10_000;

/**
 * Call it once for each message that is sent. From time to time it collects the memory that earlier messages
 * left.
 *
 * Left alone, the collector lets much gather before it runs, and then keeps that memory for itself. With
 * short rounds little gathers, and a full collection gives memory back (docs/performance.md "What it is spent
 * on"). Nobody is answered during a full collection, so it is rare.
 */
export function collectInRounds(collector: Collector): () => void {
  let messages = 0;
  return () => {
    messages++;
    if (messages % ALL_EVERY === YOUNG_EVERY) collector.all();
    else if (messages % YOUNG_EVERY === 0) collector.young();
  };
}
