import type { Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { LeftOutReason } from "#campaigns/check/left-out.ts";
import type { AudienceOptions, CampaignOptions } from "#campaigns/options/options.ts";

/**
 * Who gets a campaign: SUBSCRIBED contacts who are on the list, if one is given, and in the segment, if one is
 * given. Contacts on an excluded list or in an excluded segment are skipped. A deleted list or segment has no
 * contacts.
 */
export type Audience = AudienceOptions & { readonly listId: string | null };

/** How many of an audience would get a campaign, and why the others would not. */
export type AudienceTally = {
  readonly mailable: number;
  /** How many of them have an address in the domains of each group that was asked for. */
  readonly ofDomains: readonly number[];
  readonly skipped: Readonly<Record<"EXCLUDED" | "SUPPRESSED" | "BLOCKED_DOMAIN", number>>;
};

/** The part of the options that is about the audience. */
export const audienceOptions = ({
  segmentId,
  excludeListIds,
  excludeSegmentIds,
}: Pick<CampaignOptions, keyof AudienceOptions>): AudienceOptions => ({
  segmentId,
  excludeListIds,
  excludeSegmentIds,
});

/** Whether the list alone decides who gets it: then nothing has to be settled before the list is read. */
export const isListAlone = ({ segmentId, excludeListIds, excludeSegmentIds }: AudienceOptions): boolean =>
  segmentId === null && excludeListIds.length === 0 && excludeSegmentIds.length === 0;

/** Whether it is for the same people, as far as a person chose them. */
export const isSameAudience = (one: Audience, other: Audience): boolean =>
  one.listId === other.listId &&
  JSON.stringify(audienceOptions(one)) === JSON.stringify(audienceOptions(other));

/** Whether there is a list or a segment; without either, a campaign has no recipients. */
export const hasAudience = (list: string | number | null, segmentId: string | null): boolean =>
  list !== null || segmentId !== null;

/** What a dry run reads. Nothing is written. */
export type AudienceStore = {
  /** Counted in one snapshot, in a thread of its own. `excludeEmails` are left out too. */
  tally(
    workspaceId: string,
    audience: Audience,
    asked: {
      readonly excludeEmails: readonly string[];
      readonly domains: readonly (readonly string[])[];
    },
    now: Instant,
  ): Promise<AudienceTally>;
  /** Whom the tally leaves out for a reason (null: any), newest first. Found in the same way as they are counted. */
  leftOut(
    workspaceId: string,
    audience: Audience,
    asked: { readonly reason: LeftOutReason | null; readonly page: PageRequest },
    now: Instant,
  ): Promise<Page<Contact>>;
  /** How many messages the workspace has reserved in a day or month. */
  used(workspaceId: string, period: string): Promise<number>;
  /** Messages a second: the best rate of the workspace's last campaigns; null if none had enough messages to tell. */
  pace(workspaceId: string): Promise<number | null>;
};
