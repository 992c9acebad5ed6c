/** The progress of a send at one moment. */
export type Sample = { readonly atMs: number; readonly done: number };

const WINDOW_MS = 30_000;

/** The samples of the last half minute, and a new one. */
export const withSample = (samples: readonly Sample[], next: Sample): readonly Sample[] =>
  [...samples, next].filter(({ atMs }) => next.atMs - atMs <= WINDOW_MS);

/** Messages a second; null with fewer than two samples, or while nothing goes out. */
export function paceOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.atMs === first.atMs) return null;
  const rate = (1_000 * (last.done - first.done)) / (last.atMs - first.atMs);
  return rate > 0 ? rate : null;
}
