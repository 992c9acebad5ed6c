/** Lets everything that waits for a socket or a commit run, between two slices of long work. */
export const nextLoopTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The result of work that yields after each of its pieces. Between them others have their turn. */
export async function inTurns<T>(work: Generator<void, T, void>): Promise<T> {
  let step = work.next();
  for (; step.done !== true; step = work.next()) await nextLoopTurn();
  return step.value;
}
