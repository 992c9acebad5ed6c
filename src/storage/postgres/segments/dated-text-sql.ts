/**
 * Whether a text names an instant that fits a test. `instant_of` reads every date and time, but takes microseconds,
 * which are seconds for a million texts. So it is called only for texts that may fit, and never for plain days.
 * Days in ISO 8601 have the same order as their texts.
 */
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { DateTest } from "#segments/rule.ts";
import type { StatementValues } from "./statement-values.ts";

/** The first and the last instant that fit. */
export type InstantRange = { readonly from: Instant; readonly to: Instant };

/** The range that a test wants, or does not want (`notWithinDays`). An instant is a whole number. */
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

/** Days that every month has, without anything after them. */
const PLAIN_DAY = "'^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])$'";

/** A text begins with a local day, which differs from UTC by less than this in any zone. */
const ZONES_MS = 3 * DAY_MS;

/**
 * Whether `text`, as SQL, names an instant in the range; null if it names none.
 * @param isInRange the same, for any text
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

/** True for every text in the range, and for few others. */
export const mayBeInRangeSql = (text: string, { from, to }: InstantRange, values: StatementValues): string =>
  `${text} COLLATE "C" >= ${values.add(dayOf(from - ZONES_MS), "text")}
    AND ${text} COLLATE "C" < ${values.add(dayOf(to + ZONES_MS), "text")}`;

const FIRST = Date.parse("0000-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");
const BEFORE_ALL = "";
const AFTER_ALL = "A";

/** The day of an instant, as text. Texts have years of four digits. */
function dayOf(at: Instant): string {
  if (at < FIRST) return BEFORE_ALL;
  return at > LAST ? AFTER_ALL : new Date(at).toISOString().slice(0, 10);
}
