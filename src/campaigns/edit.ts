/**
 * What may be done to an existing campaign (docs/contract.md "Campaign status"; docs/decisions.md "Campaigns
 * and sending"):
 *
 *   DRAFT --schedule--> SCHEDULED --schedule--> SCHEDULED (a new time) --cancel, or its list is removed--> DRAFT
 *
 *   frozen (a send is in progress) and SENT: nothing, CAMPAIGN_ALREADY_SENT
 *
 * The campaign's state is checked first, then the body, then the things it refers to. So the state is checked
 * before the body is read (`checkNotSent`), and again by the deciders, which see it as it is when the change is
 * written.
 */
import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, refuse, type Refusal, type Result } from "#core/errors/errors.ts";
import { applyPatch } from "#core/request/patch.ts";
import { quoted } from "#core/text/text.ts";
import { noSuchList } from "#lists/list-input.ts";
import { ALREADY_SENT, type Campaign, type CampaignStatus } from "./campaign.ts";
import type { CampaignChange } from "./campaign-input.ts";
import { hasAudience } from "#campaigns/send/audience.ts";
import type { CampaignOptions, OptionsChange } from "#campaigns/options/options.ts";
import { checkSender, type Senders } from "#campaigns/options/sender.ts";

/**
 * What the deciders need to know about a campaign. Frozen: the plan of its send is complete, so its letter cannot
 * change.
 */
export type CampaignState = {
  readonly status: CampaignStatus;
  readonly frozen: boolean;
  readonly listId: string | null;
  readonly segmentId: string | null;
};

export const stateOf = (stored: {
  readonly campaign: Pick<Campaign, "status" | "listId">;
  readonly mailing: number | null;
  readonly options: Pick<CampaignOptions, "segmentId">;
}): CampaignState => ({
  status: stored.campaign.status,
  frozen: stored.mailing !== null,
  listId: stored.campaign.listId,
  segmentId: stored.options.segmentId,
});

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

/** The ids that a change names, and those of them that the workspace has. */
export type NamedIds = { readonly lists: readonly string[]; readonly segments: readonly string[] };
export type KnownIds = { readonly lists: ReadonlySet<string>; readonly segments: ReadonlySet<string> };

/** The options after a change; `scheduledAt` as in `CampaignWrite`. */
export type OptionsWrite = { readonly options: CampaignOptions; readonly scheduledAt?: null };

export function checkNotSent({ status, frozen }: CampaignState): Refusal | null {
  if (status === "SENT") return ALREADY_SENT;
  if (!frozen) return null;
  return refuse(
    "CAMPAIGN_ALREADY_SENT",
    "This campaign is being sent, so it cannot be changed any more. Stop it to keep the rest from going out.",
  ).refusal;
}

/**
 * PATCH. A SCHEDULED campaign whose list is removed becomes a DRAFT, even if it has a segment: far more people
 * would get it. `known`: the list that the change names, if the workspace has it.
 */
export function decideChange(
  current: CampaignState,
  change: CampaignChange,
  known: ReadonlySet<string>,
): Result<CampaignWrite> {
  const sent = checkNotSent(current);
  if (sent) return { ok: false, refusal: sent };
  const { name, subject, body } = change;
  const listId = applyPatch(current.listId, change.listId, null);
  if (change.listId.kind === "set" && !known.has(change.listId.value)) return noSuchList(change.listId.value);
  const unscheduled = current.status === "SCHEDULED" && current.listId !== null && listId === null;
  return accept({
    ...(name === undefined ? {} : { name }),
    ...(subject === undefined ? {} : { subject }),
    ...(body === undefined ? {} : { body }),
    ...(listId === current.listId ? {} : { listId }),
    ...(unscheduled ? { scheduledAt: null } : {}),
  });
}

/** The ids that options name. */
export const namedIn = ({
  segmentId,
  excludeListIds = [],
  excludeSegmentIds = [],
}: OptionsChange): NamedIds => ({
  lists: excludeListIds,
  segments: [...(segmentId ? [segmentId] : []), ...excludeSegmentIds],
});

/**
 * PATCH options. A SCHEDULED campaign that no longer has recipients becomes a DRAFT. Ids that the campaign already
 * names may be sent again, even if their list or segment was deleted meanwhile; it then has no contacts.
 */
export function decideOptions(
  current: CampaignState & { readonly options: CampaignOptions },
  change: OptionsChange,
  senders: Senders,
  known: KnownIds,
): Result<OptionsWrite> {
  const sent = checkNotSent(current);
  if (sent) return { ok: false, refusal: sent };
  const foreign = change.fromEmail ? checkSender(change.fromEmail, senders) : null;
  if (foreign) return { ok: false, refusal: foreign };
  const named = namedIn(change);
  const before = namedIn(current.options);
  const segment = named.segments.find((id) => !known.segments.has(id) && !before.segments.includes(id));
  if (segment !== undefined) return noSuchSegment(segment);
  const list = named.lists.find((id) => !known.lists.has(id) && !before.lists.includes(id));
  if (list !== undefined) return noSuchList(list);
  const options = { ...current.options, ...change };
  const unscheduled = current.status === "SCHEDULED" && !hasAudience(current.listId, options.segmentId);
  return accept({ options, ...(unscheduled ? { scheduledAt: null } : {}) });
}

/**
 * POST schedule, also for a SCHEDULED campaign: the new time replaces the old one. `before`: as it was when the call
 * began. If its list was removed since, it is not scheduled, even if it has a segment: far more people would get it.
 */
export function decideSchedule(
  current: CampaignState,
  scheduledAt: Instant,
  before: CampaignState = current,
): Result<CampaignWrite> {
  const sent = checkNotSent(current);
  if (sent) return { ok: false, refusal: sent };
  if (!hasAudience(current.listId, current.segmentId)) return invalid(NO_AUDIENCE);
  if (before.listId !== null && current.listId === null) return invalid(LIST_REMOVED);
  return accept({ scheduledAt });
}

/** DELETE schedule. */
export function decideCancel(current: CampaignState): Result<CampaignWrite> {
  const sent = checkNotSent(current);
  if (sent) return { ok: false, refusal: sent };
  if (current.status === "DRAFT") return invalid("The campaign is a DRAFT: there is no schedule to cancel.");
  return accept({ scheduledAt: null });
}

/** The refusal for scheduling or sending a campaign without recipients. */
export const NO_AUDIENCE =
  "The campaign has no list and no segment to be sent to. Set `listId`, or `segmentId` in its options, first.";

const LIST_REMOVED =
  "The campaign's list was removed meanwhile. Look at whom it goes to, and schedule it again.";

const noSuchSegment = (segmentId: string) =>
  refuse("NOT_FOUND", `There is no segment ${quoted(segmentId)} in this workspace.`);
