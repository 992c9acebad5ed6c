import { nextLoopTurn } from "#core/time/event-loop.ts";

/** How many steps are read in one turn of the event loop: for days, some thousand rows. */
const STEPS_A_TURN = 50;

/** The results of `read` for each stretch between one instant and the next. The event loop gets turns in between. */
export async function readBetween<T>(
  bounds: readonly number[],
  read: (from: number, to: number) => T,
): Promise<T[]> {
  const found: T[] = [];
  for (const [i, end] of bounds.entries()) {
    const begin = bounds[i - 1];
    if (begin === undefined) continue;
    found.push(read(begin, end));
    if (i % STEPS_A_TURN === 0) await nextLoopTurn();
  }
  return found;
}
