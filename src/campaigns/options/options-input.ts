import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { NAME_CHARACTERS_MAX, parseLine } from "#core/text/name-text.ts";
import type { Utm } from "#mail/letter/letter-options.ts";
import { BODY_BYTES_MAX } from "#mail/letter/letter-text.ts";
import type { CampaignOptions, OptionsChange } from "./options.ts";
import type { OptionsChangeBody } from "./schema.ts";

const PREHEADER_CHARACTERS_MAX = 998;
const UTM_CHARACTERS_MAX = 200;
const TOPIC_CHARACTERS_MAX = 64;
const EXCLUDED_MAX = 100;

const FORMATS = ["html", "mjml"] as const;
const UTM_MEMBERS = ["source", "medium", "campaign"] as const;

type Key = keyof CampaignOptions;
type Readers = { readonly [K in Key]: (value: Sent<K>) => Result<CampaignOptions[K]> };
type Sent<K extends Key> = Exclude<OptionsChangeBody[K], undefined>;

/** How each option is read. Empty text means null: forms send it for a field that was cleared. */
const READERS: Readers = {
  format: parseFormat,
  personalize: accept,
  preheader: (value) => parseLine("preheader", value, PREHEADER_CHARACTERS_MAX),
  text: parseText,
  fromName: orNull((value) => parseLine("fromName", value, NAME_CHARACTERS_MAX)),
  fromEmail: orNull((value) => parseAddress("fromEmail", value)),
  replyTo: orNull((value) => parseAddress("replyTo", value)),
  segmentId: orNull((value) => accept(value)),
  excludeListIds: (value) => parseIds("excludeListIds", value),
  excludeSegmentIds: (value) => parseIds("excludeSegmentIds", value),
  trackOpens: accept,
  trackClicks: accept,
  utm: parseUtm,
  topic: orNull(parseTopic),
};

const KEYS = Object.keys(READERS).filter((key): key is Key => Object.hasOwn(READERS, key));

/**
 * Reads the body of PATCH /campaigns/{id}/options; options that it does not name stay the same. The caller checks
 * that lists and segments exist, and that the workspace may send from `fromEmail`.
 */
export function parseOptionsChange(body: OptionsChangeBody): Result<OptionsChange> {
  const change: OptionsChange = {};
  for (const key of KEYS) {
    const read = readOption(body, key);
    if (!read.ok) return read;
    if (read.value !== undefined) Object.assign(change, { [key]: read.value });
  }
  return accept(change);
}

/** Undefined: the option was not sent. */
function readOption<K extends Key>(body: OptionsChangeBody, key: K): Result<CampaignOptions[K] | undefined> {
  const value: OptionsChangeBody[K] = body[key];
  return value === undefined ? accept(undefined) : READERS[key](value as Sent<K>);
}

function orNull<T>(parse: (value: string) => Result<T>): (value: string | null) => Result<T | null> {
  return (value) => (value === null || value.trim() === "" ? accept(null) : parse(value));
}

function parseFormat(value: string): Result<CampaignOptions["format"]> {
  const format = FORMATS.find((known) => known === value);
  return format ? accept(format) : invalid("`format` must be `html` or `mjml`.");
}

/** Kept as written. */
function parseText(value: string | null): Result<string | null> {
  if (value === null || value.trim() === "") return accept(null);
  const bytes = Buffer.byteLength(value);
  return bytes > BODY_BYTES_MAX
    ? invalid(`\`text\` has ${bytes} bytes of UTF-8; at most ${BODY_BYTES_MAX} are allowed.`)
    : accept(value.toWellFormed());
}

function parseAddress(field: string, value: string): Result<string> {
  const address = parseEmailAddress(value);
  return address.ok ? address : invalid(`\`${field}\`: ${address.refusal.message}`);
}

/** Each id once, in the order in which they were sent. */
function parseIds(field: string, ids: readonly string[]): Result<readonly string[]> {
  const distinct = [...new Set(ids)];
  return distinct.length > EXCLUDED_MAX
    ? invalid(`\`${field}\` has more than ${EXCLUDED_MAX} ids. Make one segment of them.`)
    : accept(distinct);
}

function parseUtm(value: Readonly<Record<string, unknown>> | null): Result<Utm | null> {
  if (value === null) return accept(null);
  const utm = { source: "", medium: "", campaign: "" };
  for (const member of UTM_MEMBERS) {
    const sent = value[member] ?? "";
    if (typeof sent !== "string") return invalid(`\`utm.${member}\` must be a string.`);
    const line = parseLine(`utm.${member}`, sent, UTM_CHARACTERS_MAX);
    if (!line.ok) return line;
    utm[member] = line.value;
  }
  return UTM_MEMBERS.some((member) => utm[member] !== "")
    ? accept(utm)
    : invalid("`utm` needs a `source`, `medium` or `campaign`. Send null for none.");
}

function parseTopic(value: string): Result<string> {
  const topic = parseLine("topic", value, TOPIC_CHARACTERS_MAX);
  return topic.ok && /\s/u.test(topic.value)
    ? invalid("`topic` must be one word, without white space.")
    : topic;
}
