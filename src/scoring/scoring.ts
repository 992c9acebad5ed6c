import type { Static } from "@sinclair/typebox";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { normalizeEventName } from "#events/event-name.ts";
import type { newRuleBody } from "./schema.ts";
import type { ScoringRule } from "./scoring-rule.ts";

const POINTS_MAX = 1_000_000;

/** The flags of `scoring add` as typed. Undefined means "not given". */
export type ScoringFlags = {
  readonly event: string | undefined;
  readonly minValueCents: string | undefined;
  readonly points: string | undefined;
};

/** The names of the fields in the place where the rule was given. */
type FieldNames = Readonly<Record<keyof ScoringRule, string>>;

const FLAG_NAMES: FieldNames = { event: "--event", points: "--points", minValueCents: "--min-value-cents" };
const MEMBER_NAMES: FieldNames = { event: "`event`", points: "`points`", minValueCents: "`minValueCents`" };

/** Reads `scoring add --event NAME [--min-value-cents N] --points N` (docs/decisions.md "Running it"). */
export function parseScoringFlags({ event, points, minValueCents }: ScoringFlags): Result<ScoringRule> {
  const given = {
    event: event ?? "",
    points: wholeNumber(points ?? ""),
    minValueCents: minValueCents === undefined ? null : wholeNumber(minValueCents),
  };
  return checkRule(given, FLAG_NAMES);
}

/** Reads the body of POST /scoring-rules (docs/contract.md "Scoring rules"). */
export function parseScoringRule({
  event,
  points,
  minValueCents = null,
}: Static<typeof newRuleBody>): Result<ScoringRule> {
  return checkRule({ event, points, minValueCents }, MEMBER_NAMES);
}

/** The name is normalized as for an event. A value that is not a number is NaN. */
function checkRule(given: ScoringRule, names: FieldNames): Result<ScoringRule> {
  const event = normalizeEventName(given.event);
  const { points, minValueCents } = given;
  if (event === "") return invalid(`${names.event} needs the name of an event, like order_placed`);
  if (!Number.isSafeInteger(points) || points === 0 || Math.abs(points) > POINTS_MAX)
    return invalid(`${names.points} needs a whole number from -${POINTS_MAX} to ${POINTS_MAX} other than 0`);
  return minValueCents === null || Number.isSafeInteger(minValueCents)
    ? accept({ event, minValueCents, points })
    : invalid(`${names.minValueCents} needs a whole number of minor units, like 5000`);
}

const wholeNumber = (text: string): number => (/^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
