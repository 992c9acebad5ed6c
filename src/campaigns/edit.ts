/**
 * What may be done to an existing campaign (docs/contract.md "Campaign status"; docs/decisions.md "Campaigns
 * and sending"):
 *
 *   DRAFT --schedule--> SCHEDULED --schedule--> SCHEDULED (a new time) --cancel, or its list is removed--> DRAFT
 *
 *   frozen (a send is in progress) and SENT: nothing, CAMPAIGN_ALREADY_SENT
 *
 * The campaign's state is checked before the body, and the body before the things it refers to. So the
 * deciders take the body as a function, and call it only after the state was checked.
 */
import type { Instant } from "#core/clock.ts";
import { accept, invalid, refuse, type Refusal, type Result } from "#core/errors.ts";
import { applyPatch } from "#core/patch.ts";
import { quoted } from "#core/text.ts";
import { ALREADY_SENT, type CampaignStatus } from "./campaign.ts";
import type { CampaignChange } from "./campaign-input.ts";

/**
 * What the deciders need to know of a campaign. Frozen: the plan of its send is complete, so its letter
 * cannot change.
 */
export type CampaignState = {
  readonly status: CampaignStatus;
  readonly frozen: boolean;
  readonly listId: string | null;
};

/**
 * What to write; a missing member stays the same. `scheduledAt` determines the status: an instant means
 * SCHEDULED, null means DRAFT.
 */
export type CampaignWrite = {
  readonly name?: string;
  readonly subject?: string;
  readonly body?: string;
  readonly listId?: string | null;
  readonly scheduledAt?: Instant | null;
};

function checkNotSent({ status, frozen }: CampaignState): Refusal | null {
  if (status === "SENT") return ALREADY_SENT;
  if (!frozen) return null;
  return refuse(
    "CAMPAIGN_ALREADY_SENT",
    "This campaign is being sent, so it cannot be changed any more. Delete it to stop the rest.",
  ).refusal;
}

/**
 * PATCH. SCHEDULED always means a list and a time, so a SCHEDULED campaign whose list is removed becomes a
 * DRAFT.
 */
export function decideChange(
  current: CampaignState,
  readChange: () => Result<CampaignChange>,
  listExists: (listId: string) => boolean,
): Result<CampaignWrite> {
  const sent = checkNotSent(current);
  if (sent) return { ok: false, refusal: sent };
  const read = readChange();
  if (!read.ok) return read;
  const { name, subject, body } = read.value;
  const listId = applyPatch(current.listId, read.value.listId, null);
  if (read.value.listId.kind === "set" && !listExists(read.value.listId.value))
    return noSuchList(read.value.listId.value);
  const unscheduled = current.status === "SCHEDULED" && listId === null;
  return accept({
    ...(name === undefined ? {} : { name }),
    ...(subject === undefined ? {} : { subject }),
    ...(body === undefined ? {} : { body }),
    ...(listId === current.listId ? {} : { listId }),
    ...(unscheduled ? { scheduledAt: null } : {}),
  });
}

/** POST schedule, also for a SCHEDULED campaign: the new time replaces the old one. */
export function decideSchedule(
  current: CampaignState,
  readTime: () => Result<Instant>,
): Result<CampaignWrite> {
  const sent = checkNotSent(current);
  if (sent) return { ok: false, refusal: sent };
  const at = readTime();
  if (!at.ok) return at;
  if (current.listId === null) return invalid("The campaign has no list to be sent to. Set `listId` first.");
  return accept({ scheduledAt: at.value });
}

/** DELETE schedule. */
export function decideCancel(current: CampaignState): Result<CampaignWrite> {
  const sent = checkNotSent(current);
  if (sent) return { ok: false, refusal: sent };
  if (current.status === "DRAFT") return invalid("The campaign is a DRAFT: there is no schedule to cancel.");
  return accept({ scheduledAt: null });
}

export const noSuchList = (listId: string) =>
  refuse("NOT_FOUND", `There is no list ${quoted(listId)} in this workspace.`);
