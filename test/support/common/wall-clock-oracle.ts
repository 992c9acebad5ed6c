import type { QuietHours } from "#workspaces/quiet-hours.ts";

const MINUTE_MS = 60_000;

/** From `at` on, clocks are this far ahead of UTC. */
export type ClockChange = { readonly at: number; readonly offsetMinutes: number };

/** One minute of a zone's wall clock, by arithmetic on its clock changes alone (no `Intl`). */
export type OracleMinute = { readonly at: number; readonly day: string; readonly minuteOfDay: number };

/**
 * Every minute in [fromAt, toAt). `changes` are in order and start before `fromAt`; all are on whole minutes.
 */
export function* wallMinutes(
  changes: readonly ClockChange[],
  fromAt: number,
  toAt: number,
): Generator<OracleMinute> {
  let next = changes.findLastIndex(({ at }) => at <= fromAt);
  if (next < 0) throw new Error("The oracle does not know the offset at the start of the span.");
  for (let at = fromAt; at < toAt; at += MINUTE_MS) {
    while (next + 1 < changes.length && changes[next + 1]!.at <= at) next++;
    const shown = at + changes[next]!.offsetMinutes * MINUTE_MS;
    yield {
      at,
      day: new Date(shown).toISOString().slice(0, 10),
      minuteOfDay: Math.floor(shown / MINUTE_MS) % 1440,
    };
  }
}

/** The quiet minutes of a day, walked one by one from the window's start to its end. */
export function quietTable({ fromMinute, toMinute }: QuietHours): boolean[] {
  const table = Array.from({ length: 1440 }, () => false);
  for (let minute = fromMinute; minute !== toMinute; minute = (minute + 1) % 1440) table[minute] = true;
  return table;
}

/**
 * For each minute: the minute itself if it is not quiet, else the next one that is not. `undefined` if the
 * span ends before.
 */
export function firstNotQuiet(
  minutes: readonly OracleMinute[],
  table: readonly boolean[],
): (number | undefined)[] {
  const answers: (number | undefined)[] = Array.from({ length: minutes.length });
  let end: number | undefined;
  for (let i = minutes.length - 1; i >= 0; i--) {
    if (!table[minutes[i]!.minuteOfDay]) end = minutes[i]!.at;
    answers[i] = end;
  }
  return answers;
}
