/**
 * Whether a text names an instant that fits a test. `instant_of` reads every date and time, but takes microseconds,
 * which a million texts make seconds: so it is asked only of texts that may fit, and of plain days not at all. Days that
 * are written as ISO 8601 writes them stand in the order of their texts.
 */
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { DateTest } from "#segments/rule.ts";
import type { StatementValues } from "./statement-values.ts";

/** The first and the last instant that fit. */
export type InstantRange = { readonly from: Instant; readonly to: Instant };

/** Where a test wants an instant, or wants none (`notWithinDays`). An instant is a whole number. */
export function instantRange(test: DateTest, now: Instant): InstantRange {
  switch (test.op) {
    case "before":
      return { from: -Infinity, to: test.at - 1 };
    case "after":
      return { from: test.at + 1, to: Infinity };
    case "withinDays":
    case "notWithinDays":
      return { from: Math.ceil(now - test.days * DAY_MS), to: now };
  }
}

/** Days that every month has, and nothing after them. */
const PLAIN_DAY = "'^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])$'";

/** A text begins with the day at its own place, which no zone moves by more than this. */
const ZONES_MS = 3 * DAY_MS;

/**
 * Whether `text`, as SQL, names an instant in the range; null where it names none.
 * @param isInRange the same, of any text
 */
export const inRangeSql = (
  text: string,
  { from, to }: InstantRange,
  isInRange: string,
  values: StatementValues,
): string => {
  const [first, last] = [dayOf(Math.ceil(from / DAY_MS) * DAY_MS), dayOf(to)];
  return `CASE WHEN ${text} COLLATE "C" ~ ${PLAIN_DAY}
    THEN ${text} COLLATE "C" BETWEEN ${values.add(first, "text")} AND ${values.add(last, "text")} ELSE ${isInRange} END`;
};

/** Holds for every text in the range, and for few others. */
export const mayBeInRangeSql = (text: string, { from, to }: InstantRange, values: StatementValues): string =>
  `${text} COLLATE "C" >= ${values.add(dayOf(from - ZONES_MS), "text")}
    AND ${text} COLLATE "C" < ${values.add(dayOf(to + ZONES_MS), "text")}`;

const FIRST = Date.parse("0000-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");
const BEFORE_ALL = "";
const AFTER_ALL = "A";

/** The day of an instant, as a text. Texts name years of four digits. */
function dayOf(at: Instant): string {
  if (at < FIRST) return BEFORE_ALL;
  return at > LAST ? AFTER_ALL : new Date(at).toISOString().slice(0, 10);
}
