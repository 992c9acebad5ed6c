import { parseListId } from "#lists/list-input.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { isLongerThan } from "#core/text/text.ts";
import type { Patch } from "#core/request/patch.ts";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { ifSent } from "#core/request/sent.ts";
import { parseBody, parseName, parseSubject } from "#mail/letter/letter-text.ts";
import type { CampaignChangeBody, NewCampaignBody } from "./schema.ts";

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
  const html = parseBody(body.body);
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
  const html = ifSent(body.body, parseBody);
  if (!html.ok) return html;
  const listId = parseListId(body.listId);
  if (!listId.ok) return listId;
  return accept({ name: name.value, subject: subject.value, body: html.value, listId: listId.value });
}

/** The name of a campaign's copy; a long one is cut. */
export function copyName(name: string): string {
  const copy = `Copy of ${name}`;
  if (!isLongerThan(copy, NAME_CHARACTERS_MAX)) return copy;
  return `${Array.from(copy)
    .slice(0, NAME_CHARACTERS_MAX - 1)
    .join("")}…`;
}
