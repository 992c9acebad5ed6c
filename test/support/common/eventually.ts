import { nextLoopTurn } from "#core/time/event-loop.ts";

/** This many turns of the event loop come without a pause: work of this process happens in them. */
const TURNS_A_REST = 16;

/**
 * Resolves once `holds()` is true: the way to wait for an effect that comes a moment later. It asks again after
 * each turn of the event loop. After some turns it pauses for a millisecond, so that sockets, threads and other
 * processes get time, even on a busy machine. Only the test's own limit ends it.
 */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 1; ; turns++) {
    const held = holds();
    if (held === true || (held !== false && (await held))) return;
    if (turns % TURNS_A_REST === 0) await Bun.sleep(1);
    else await nextLoopTurn();
  }
}
