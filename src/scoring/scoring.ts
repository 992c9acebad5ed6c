import { accept, invalid, type Result } from "#core/errors.ts";
import { normalizeEventName } from "#events/event-name.ts";

/**
 * Points for an event: for every event of that name, or only for those worth at least `minValueCents`. An
 * event without an amount never reaches a minimum. Negative points reduce the score. A contact's score is the
 * sum over their events (docs/decisions.md "Events").
 */
export type ScoringRule = {
  /** Normalized. */
  readonly event: string;
  readonly minValueCents: number | null;
  readonly points: number;
};

const POINTS_MAX = 1_000_000;

/** The flags of `scoring add` as typed. Undefined means "not given". */
export type ScoringFlags = {
  readonly event: string | undefined;
  readonly minValueCents: string | undefined;
  readonly points: string | undefined;
};

/**
 * Reads `scoring add --event NAME [--min-value-cents N] --points N` (docs/decisions.md "Running it"). The
 * name is normalized as for an event.
 */
export function parseScoringRule(flags: ScoringFlags): Result<ScoringRule> {
  const event = normalizeEventName(flags.event ?? "");
  if (event === "") return invalid("--event needs the name of an event, like order_placed");
  const earned = wholeNumber(flags.points ?? "");
  if (earned === null || earned === 0 || Math.abs(earned) > POINTS_MAX)
    return invalid(`--points needs a whole number from -${POINTS_MAX} to ${POINTS_MAX} other than 0`);
  if (flags.minValueCents === undefined) return accept({ event, minValueCents: null, points: earned });
  const minValueCents = wholeNumber(flags.minValueCents);
  return minValueCents === null
    ? invalid("--min-value-cents needs a whole number of minor units, like 5000")
    : accept({ event, minValueCents, points: earned });
}

function wholeNumber(text: string): number | null {
  const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}
