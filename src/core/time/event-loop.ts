/** Lets everything that waits for a socket or a commit run, between two slices of long work. */
export const nextLoopTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The result of work that yields after each of its pieces. Between them others have their turn. */
export async function inTurns<T>(work: Generator<void, T, void>): Promise<T> {
  let step = work.next();
  for (; step.done !== true; step = work.next()) await nextLoopTurn();
  return step.value;
}

/** Does such work without turns for others in between: for work that is known to be small. */
export function atOnce<T>(work: Generator<void, T, void>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/**
 * Lets the event loop run `count` turns. In each turn, everything that waits for a socket or a commit can
 * run. Costs almost nothing if nothing waits.
 */
export async function yieldTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextLoopTurn();
}

/** Yields `least` turns, and more, up to `most`, as long as somebody is waiting. */
export async function yieldTurnsWhile(isWaiting: () => boolean, least: number, most: number): Promise<void> {
  await yieldTurns(least);
  for (let turn = least; turn < most && isWaiting(); turn++) await nextLoopTurn();
}

const TURNS_BETWEEN = 3;

/**
 * Runs works one after the other, with some turns of the event loop between them. So many works at once never
 * block the loop for longer than the longest of them.
 */
export function oneAfterAnother(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(() => yieldTurns(TURNS_BETWEEN)).then(work);
    last = run.catch(() => undefined);
    return run;
  };
}
