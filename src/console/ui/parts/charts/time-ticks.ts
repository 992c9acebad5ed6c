import { wallsOf } from "../../frame/zone-time.ts";

/** A mark on an axis of time. `at` is where its step begins. */
export type TimeTick = {
  readonly at: string;
  readonly label: string;
  /** The day, below the first of its hours. */
  readonly day: string | null;
};

/** How a time and a day are written, in the time zone of the steps. */
type Words = { readonly time: (at: string) => string; readonly day: (at: string) => string };

type Place = { readonly at: string; readonly date: string; readonly hour: number; readonly minute: number };

/** Hours between two marks, so that one always stands at midnight. */
const GAPS = [1, 2, 3, 4, 6, 12] as const;

/**
 * The marks of steps of an hour: hours of the clock, and each day once. Where they have no room, only the days.
 * @param steps where each begins, the oldest first
 * @param most how many there is room for
 */
export function hourTicks(steps: readonly string[], zone: string, words: Words, most: number): TimeTick[] {
  const places = placesOf(steps, zone);
  for (const gap of GAPS) {
    const shown = places.filter(({ hour, minute }) => minute === 0 && hour % gap === 0);
    if (shown.length > 0 && shown.length <= most)
      return shown.map(({ at, date }, i) => ({
        at,
        label: words.time(at),
        day: date === shown[i - 1]?.date ? null : words.day(at),
      }));
  }
  return dayTicks(daysIn(places), words, most);
}

/** The marks of steps of a day, with equally many days between them. */
export function dayTicks(steps: readonly string[], words: Pick<Words, "day">, most: number): TimeTick[] {
  const gap = Math.ceil(steps.length / Math.max(1, most));
  return steps.filter((_, i) => i % gap === 0).map((at) => ({ at, label: words.day(at), day: null }));
}

/** Where days begin. A day that had begun before the first step counts only if there is no other. */
function daysIn(places: readonly Place[]): string[] {
  const begins = places.filter(({ date, hour }, i) => (i === 0 ? hour === 0 : date !== places[i - 1]?.date));
  return (begins.length > 0 ? begins : places.slice(0, 1)).map(({ at }) => at);
}

function placesOf(steps: readonly string[], zone: string): Place[] {
  const wallOf = wallsOf(zone);
  return steps.map((at) => {
    const [date = "", time = ""] = wallOf(new Date(at)).split("T");
    const [hour, minute] = time.split(":").map(Number);
    return { at, date, hour: Number(hour), minute: Number(minute) };
  });
}
