/** The result of work that yields after each of its pieces, without turns for others in between. */
export function atOnce<T>(work: Generator<void, T, void>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}
