/** Lets the event loop go round so many times: whoever waits for a socket or a commit has a turn each time. Costs nothing where nobody does. */
export async function yieldTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
}

/** `least` turns, and on to `most` for as long as somebody is waiting. */
export async function yieldTurnsWhile(isWaiting: () => boolean, least: number, most: number): Promise<void> {
  await yieldTurns(least);
  for (let turn = least; turn < most && isWaiting(); turn++) await yieldTurns(1);
}

const TURNS_BETWEEN = 3;

/** Runs works one after the other with some turns of the loop between them: many at once never hold it up longer than the longest of them. */
export function oneAfterAnother(): <T>(work: () => T) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(() => yieldTurns(TURNS_BETWEEN)).then(work);
    last = run.catch(() => undefined);
    return run;
  };
}
