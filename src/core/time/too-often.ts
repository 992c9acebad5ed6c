import type { Clock } from "./clock.ts";

/** Call the returned function each time it happens. It is true from the `most`-th time within `withinMs` on. */
export function tooOften(
  clock: Pick<Clock, "monotonicMs">,
  { most, withinMs }: { readonly most: number; readonly withinMs: number },
): () => boolean {
  let times: number[] = [];
  return () => {
    const now = clock.monotonicMs();
    times = [...times.filter((at) => now - at < withinMs), now];
    return times.length >= most;
  };
}
