import type { Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { LeftOutReason } from "#campaigns/check/left-out.ts";
import type { AudienceOptions, CampaignOptions } from "#campaigns/options/options.ts";

/**
 * Whom a campaign is for: SUBSCRIBED contacts who are on the list, if there is one, and in the segment, if
 * there is one. Those on an excluded list or in an excluded segment are skipped. A list or segment that was
 * deleted has no contacts.
 */
export type Audience = AudienceOptions & { readonly listId: string | null };

/** How many of an audience would get a campaign, and why the others would not. */
export type AudienceTally = {
  readonly mailable: number;
  /** How many of those have an address in some domains, for each group of domains that was asked for. */
  readonly ofDomains: readonly number[];
  readonly skipped: Readonly<Record<"EXCLUDED" | "SUPPRESSED" | "BLOCKED_DOMAIN", number>>;
};

/** The audience's part of the options. */
export const audienceOptions = ({
  segmentId,
  excludeListIds,
  excludeSegmentIds,
}: Pick<CampaignOptions, keyof AudienceOptions>): AudienceOptions => ({
  segmentId,
  excludeListIds,
  excludeSegmentIds,
});

/** Whether the list alone decides who gets it: then nothing has to be settled before it is walked. */
export const isListAlone = ({ segmentId, excludeListIds, excludeSegmentIds }: AudienceOptions): boolean =>
  segmentId === null && excludeListIds.length === 0 && excludeSegmentIds.length === 0;

/** A campaign needs one of the two to have recipients. */
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
  /** Whom the tally leaves out for a reason, or for any of its own (null), newest first. Found as it is counted. */
  leftOut(
    workspaceId: string,
    audience: Audience,
    asked: { readonly reason: LeftOutReason | null; readonly page: PageRequest },
    now: Instant,
  ): Promise<Page<Contact>>;
  /** How many messages the workspace has reserved in a day or month. */
  used(workspaceId: string, period: string): Promise<number>;
  /** Messages a second: the best of the workspace's last campaigns; null where none had enough to tell. */
  pace(workspaceId: string): Promise<number | null>;
};
