import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import { parseRequiredName } from "#core/text/name-text.ts";
import { isSent } from "#core/request/sent.ts";
import { referencesOf, type Reference } from "./references.ts";
import { readRules } from "./rules-input.ts";
import type { NewSegmentBody, RulesBody, SegmentChangeBody } from "./schema.ts";

/** Rules that can be read, as they were sent, and what they name. */
export type SentRules = { readonly rules: JsonValue; readonly references: readonly Reference[] };

export type NewSegment = { readonly name: string } & SentRules;

/** Undefined: not sent. */
export type SegmentChange = { readonly name: string | undefined; readonly sent: SentRules | undefined };

/** A page shows the rules of a hundred segments in one answer. */
const RULES_BYTES_MAX = 64 * 1024;

/** Reads the body of POST /segments. */
export function parseNewSegment(body: NewSegmentBody): Result<NewSegment> {
  const name = parseRequiredName(body.name);
  if (!name.ok) return name;
  const sent = parseRules(body);
  if (!sent.ok) return sent;
  const checked = checkSize(sent.value.rules, null);
  return checked.ok ? accept({ name: name.value, ...sent.value }) : checked;
}

/** Reads the body of PATCH /segments/{id}; `null` means "not sent". */
export function parseSegmentChange(body: SegmentChangeBody): Result<SegmentChange> {
  const name = isSent(body.name) ? parseRequiredName(body.name) : accept(undefined);
  if (!name.ok) return name;
  const sent = isSent(body.rules) ? parseRules(body) : accept(undefined);
  return sent.ok ? accept({ name: name.value, sent: sent.value }) : sent;
}

/**
 * Reads the `rules` of a body, whatever their size: those of previews are not kept. The refusal names the place of the
 * first problem.
 */
export function parseRules({ rules }: RulesBody): Result<SentRules> {
  if (!isSent(rules))
    return invalid("`rules` is required: a condition, or a group with `all`, `any` or `not`.");
  const rule = readRules(rules);
  if (rule.ok) return accept({ rules: rules as JsonValue, references: referencesOf(rule.value) });
  const [problem] = rule.problems;
  return invalid(`\`${problem?.path}\`: ${problem?.message}`);
}

/**
 * Refuses to keep rules that are too large. What is not looked at, such as the `value` of `exists`, counts as well.
 * @param stored what they take the place of: where that is larger, from a time without this limit, they may be as large
 */
export function checkSize(rules: JsonValue, stored: JsonValue | null): Result<null> {
  const bytes = bytesOf(rules);
  return bytes <= RULES_BYTES_MAX || (stored !== null && bytes <= bytesOf(stored))
    ? accept(null)
    : invalid(`\`rules\` has ${bytes} bytes of JSON; at most ${RULES_BYTES_MAX} are allowed.`);
}

const bytesOf = (rules: JsonValue): number => Buffer.byteLength(JSON.stringify(rules));
