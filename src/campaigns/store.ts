import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Campaign, CampaignStatus } from "./campaign.ts";
import type { NewCampaign } from "./campaign-input.ts";
import type { CampaignState, CampaignWrite, KnownIds, NamedIds, OptionsWrite } from "./edit.ts";
import type { CampaignLetter, CampaignOptions } from "#campaigns/options/options.ts";

/** Campaigns and their bodies. Every method is one transaction. */
export type CampaignStore = {
  /** A new DRAFT. Null, and nothing is written, if the list does not belong to the workspace. */
  insert(workspaceId: string, campaign: NewCampaignRow): Promise<Campaign | null>;
  find(workspaceId: string, id: string): Promise<StoredCampaign | null>;
  /** The content as its author wrote it, and the options; null if there is no such campaign. */
  letter(workspaceId: string, id: string): Promise<CampaignLetter | null>;
  /** Newest first. */
  page(workspaceId: string, filter: CampaignFilter, page: PageRequest): Promise<Page<Campaign>>;
  /**
   * Loads the campaign, and which of these lists the workspace has. Then calls `decide`, which is synchronous and
   * writes nothing, and writes its answer. Null: no such campaign.
   */
  change(
    workspaceId: string,
    id: string,
    listIds: readonly string[],
    decide: DecideCampaign,
  ): Promise<Result<Campaign> | null>;
  /** The same for the options. */
  changeOptions(
    workspaceId: string,
    id: string,
    named: NamedIds,
    decide: DecideOptions,
  ): Promise<Result<CampaignOptions> | null>;
  /** A new DRAFT with the same list, content and options. Null: no such campaign. */
  duplicate(workspaceId: string, id: string, copy: CampaignCopy): Promise<Campaign | null>;
  /**
   * Deletes the campaign and stops its send, planned or in progress. Delivery records stay. Reservations of cap and
   * limit for recipients who now get nothing are given back. False: no such campaign.
   */
  delete(workspaceId: string, id: string): Promise<boolean>;
  /** Ends the hold on a campaign and its send; a schedule whose time has passed is due at `now`. */
  release(workspaceId: string, id: string, now: Instant): Promise<"released" | "not held" | "not found">;
};

export type NewCampaignRow = NewCampaign & { readonly id: string; readonly createdAt: Instant };

type CampaignCopy = Pick<NewCampaignRow, "id" | "createdAt"> & {
  /** Makes the copy's name from the campaign's. */
  nameOf(name: string): string;
};

/** `q` is a plain part of the name or subject; case does not matter. */
export type CampaignFilter = { readonly status: CampaignStatus | null; readonly q: string | null };

export type DecideCampaign = (
  current: CampaignState,
  knownLists: ReadonlySet<string>,
) => Result<CampaignWrite>;

type DecideOptions = (
  current: CampaignState & { readonly options: CampaignOptions },
  known: KnownIds,
) => Result<OptionsWrite>;

export type StoredCampaign = {
  readonly campaign: Campaign;
  /** Without the text part, which is long and is read with the body. */
  readonly options: Omit<CampaignOptions, "text">;
  /**
   * The send's number in the ledger; null until its plan is complete. From then on the campaign is frozen.
   */
  readonly mailing: number | null;
  /** Why the campaign waits although it is due. */
  readonly blocked: string | null;
  /** Why the send is paused, in words for the report; null if it is not. */
  readonly paused: string | null;
  /** True: nothing is sent until a person releases the campaign. */
  readonly held: boolean;
};
