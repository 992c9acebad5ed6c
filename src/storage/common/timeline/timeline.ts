/** The order of a person's timeline, and where its pages end. */
import type { Moment } from "#timeline/moment.ts";

/**
 * The sources of moments. At the same instant, moments of earlier sources are shown first, which is what happened
 * last: a person opts out, therefore leaves the lists, and an automation begins with an event.
 */
export const SOURCES = [
  "report",
  "clicked",
  "opened",
  "delivery",
  "ended",
  "entered",
  "event",
  "left",
  "joinedBefore",
  "joined",
  "suppression",
  "consent",
] as const;

export type Source = (typeof SOURCES)[number];

/** A moment's place in the order. `key` is its row's number in its source. */
export type Mark = { readonly source: Source; readonly at: number; readonly key: number };

/** The person whose moments are shown. */
export type Person = {
  readonly workspace: number;
  readonly seq: number;
  readonly id: string;
  readonly email: string;
};

/** The members that every moment has. */
export type MomentBase = Pick<Moment, "id" | "at">;

export const momentBase = ({ source, key, at }: Mark): MomentBase => ({ id: `${source}_${key}`, at });

const RANK = new Map(SOURCES.map((source, rank) => [source, rank]));
const rankOf = ({ source }: Mark): number => RANK.get(source) ?? 0;

/** The order of a timeline: by time, then by source, then by row. No two marks of a person are equal. */
export function compareMarks(a: Mark, b: Mark): number {
  return b.at - a.at || rankOf(a) - rankOf(b) || b.key - a.key;
}

/** Whether `a` is shown before `b`. */
const isNewer = (a: Mark, b: Mark): boolean => compareMarks(a, b) < 0;

/** Where a page ended: at a mark, and at an event's row. Marks and events are read side by side. */
export type Place = { readonly mark: Mark | null; readonly event: number };

export const START: Place = { mark: null, event: Number.MAX_SAFE_INTEGER };

/** The next thing to show: an event, or something else at a mark. */
export type Next<Event> = { readonly mark: Mark; readonly event: Event | null };

/** Merges the events with the others, each in its own order. */
export function merged<Event extends { readonly seq: number; readonly createdAt: number }>(
  marks: readonly Mark[],
  events: readonly Event[],
): Next<Event>[] {
  const next: Next<Event>[] = [];
  let [m, e] = [0, 0];
  for (;;) {
    const [mark, event] = [marks[m], events[e]];
    if (mark === undefined && event === undefined) return next;
    const ofEvent = event && { source: "event" as const, at: event.createdAt, key: event.seq };
    if (ofEvent !== undefined && (mark === undefined || isNewer(ofEvent, mark))) {
      next.push({ mark: ofEvent, event: event ?? null });
      e++;
    } else if (mark !== undefined) {
      next.push({ mark, event: null });
      m++;
    }
  }
}

/** Where the page after `shown` begins. */
export function positionAfter(place: Place, shown: readonly Next<unknown>[]): readonly number[] {
  const event = shown.findLast((each) => each.event !== null)?.mark.key ?? place.event;
  const mark = shown.findLast((each) => each.event === null)?.mark ?? place.mark;
  // This number is higher than that of every source: nothing but events was shown yet.
  if (mark === null) return [event, SOURCES.length, 0, 0];
  return [event, SOURCES.indexOf(mark.source), mark.at, mark.key];
}

export function placeOf([event = 0, number = 0, at = 0, key = 0]: readonly number[]): Place {
  const source = SOURCES[number];
  return { event, mark: source === undefined ? null : { source, at, key } };
}
