/** The runtime's garbage collector: for recent objects, or for everything. */
export type Collector = { young(): void; all(): void };

const YOUNG_EVERY = 500;
/** After this many rounds everything is collected, beginning with the first round. */
const ROUNDS_TO_ALL = 20;

/**
 * Call it with the number of messages that were sent or rows that were written out. From time to time it collects
 * the memory that earlier ones left.
 *
 * Without these calls, the runtime lets much garbage gather before it collects, and then keeps that memory. With
 * short rounds there is little garbage, and a full collection gives memory back (docs/performance.md "What it is
 * spent on"). Nobody is answered during a full collection, so it is rare.
 */
export function collectInRounds(collector: Collector, youngEvery = YOUNG_EVERY): (done?: number) => void {
  let since = 0;
  let rounds = 0;
  return (done = 1) => {
    since += done;
    if (since < youngEvery) return;
    since = 0;
    if (rounds % ROUNDS_TO_ALL === 0) collector.all();
    else collector.young();
    rounds++;
  };
}
