/**
 * Work that this page does call by call, or a file that it sends: it ends half-way if the page is left. So while there is
 * some, the browser asks before it leaves the page (reload, close, another workspace), and signing out asks too.
 */
const unfinished = new Set<() => void>();

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * @param stop makes the work end after the call that is under way
 * @returns to be called when the work is over
 */
export function beginWork(stop: () => void): () => void {
  const one = () => stop();
  unfinished.add(one);
  window.addEventListener("beforeunload", ask);
  return () => end(one);
}

function end(one: () => void): void {
  unfinished.delete(one);
  if (unfinished.size === 0) window.removeEventListener("beforeunload", ask);
}

export const isWorkUnfinished = (): boolean => unfinished.size > 0;

/** Its person has said that it may end half-way: nothing is asked any more. */
export function stopWork(): void {
  for (const stop of unfinished) {
    stop();
    end(stop);
  }
}
