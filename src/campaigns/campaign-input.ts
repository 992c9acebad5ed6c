import { parseListId } from "#lists/list-input.ts";
import { accept, invalid, type Result } from "#core/errors.ts";
import type { Patch } from "#core/patch.ts";
import { hasControlCharacter, isLongerThan } from "#core/text.ts";
import type { CampaignChangeBody, NewCampaignBody } from "./schema.ts";

const NAME_CHARACTERS_MAX = 200;
const SUBJECT_CHARACTERS_MAX = 998;
export const BODY_BYTES_MAX = 512 * 1024;

/** What POST /campaigns asks for. `body` is the HTML as written. */
export type NewCampaign = {
  readonly name: string;
  readonly subject: string;
  readonly body: string;
  readonly listId: string | null;
};

/** What PATCH /campaigns/{id} asks for; undefined means "not sent". A null `listId` removes the list. */
export type CampaignChange = {
  readonly name: string | undefined;
  readonly subject: string | undefined;
  readonly body: string | undefined;
  readonly listId: Patch<string>;
};

/** Reads the body of POST /campaigns. The caller checks that the list exists. */
export function parseNewCampaign(body: NewCampaignBody): Result<NewCampaign> {
  const name = parseName(body.name);
  if (!name.ok) return name;
  const subject = parseSubject(body.subject);
  if (!subject.ok) return subject;
  const html = parseHtml(body.body);
  if (!html.ok) return html;
  const listId = parseListId(body.listId);
  if (!listId.ok) return listId;
  return accept({
    name: name.value,
    subject: subject.value,
    body: html.value,
    listId: listId.value.kind === "set" ? listId.value.value : null,
  });
}

/**
 * Reads the body of PATCH /campaigns/{id}. A `listId` of null removes the list; an empty value is refused.
 */
export function parseCampaignChange(body: CampaignChangeBody): Result<CampaignChange> {
  const name = ifSent(body.name, parseName);
  if (!name.ok) return name;
  const subject = ifSent(body.subject, parseSubject);
  if (!subject.ok) return subject;
  const html = ifSent(body.body, parseHtml);
  if (!html.ok) return html;
  const listId = parseListId(body.listId);
  if (!listId.ok) return listId;
  return accept({ name: name.value, subject: subject.value, body: html.value, listId: listId.value });
}

function ifSent<T>(value: string | undefined, parse: (value: string) => Result<T>): Result<T | undefined> {
  return value === undefined ? accept(undefined) : parse(value);
}

const parseName = (value: string): Result<string> => parseLine("name", value, NAME_CHARACTERS_MAX);
const parseSubject = (value: string): Result<string> => parseLine("subject", value, SUBJECT_CHARACTERS_MAX);

/**
 * Trimmed first, so that a line break at the end of a pasted line does no harm. A lone surrogate becomes
 * U+FFFD, because it has no UTF-8 form.
 */
function parseLine(field: string, value: string, charactersMax: number): Result<string> {
  const line = value.toWellFormed().trim();
  if (line === "") return invalid(`\`${field}\` must not be empty.`);
  if (isLongerThan(line, charactersMax))
    return invalid(`\`${field}\` is longer than ${charactersMax} characters. Shorten it.`);
  if (hasControlCharacter(line))
    return invalid(`\`${field}\` must be one line without control characters. Take them out.`);
  return accept(line);
}

/** Kept as written; only a body of white space alone counts as empty. */
function parseHtml(value: string): Result<string> {
  if (value.trim() === "") return invalid("`body` must not be empty.");
  const bytes = Buffer.byteLength(value);
  if (bytes > BODY_BYTES_MAX)
    return invalid(`\`body\` has ${bytes} bytes of UTF-8; at most ${BODY_BYTES_MAX} are allowed.`);
  return accept(value.toWellFormed());
}
