import type { Instant } from "#core/time/clock.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { DeliveryState } from "#deliveries/ledger.ts";
import type { Effect } from "./effect.ts";
import type { ReportWay } from "./incoming.ts";
import type { Report } from "./report.ts";
import type { UnreadMail, UnreadMailEntry } from "./unread.ts";

/** The message that a report is about. */
export type ReportedMessage = {
  readonly number: number;
  readonly workspaceId: string;
  readonly address: string;
  /** A test of a campaign (POST /campaigns/{id}/test). */
  readonly isTest: boolean;
};

/** A report that matches a message. */
export type FittingReport = Report & {
  readonly message: number;
  readonly way: ReportWay;
  readonly at: Instant;
};

/** The facts for the rule: the message's state, and when soft reports of its address came, including this one. */
export type ReportStanding = { readonly state: DeliveryState; readonly strikes: readonly Instant[] };

/** Every method is one transaction, durable when it resolves. */
export type BounceStore = {
  findMessage(number: number): Promise<ReportedMessage | null>;
  /** The messages of a campaign or automation that went to this address; two of them if there are more. */
  findBySource(
    source: { workspaceId: string; kind: string; id: string },
    address: string,
  ): Promise<readonly number[]>;
  /** The same of all messages. */
  findSentTo(workspaceId: string, address: string): Promise<readonly number[]>;

  /**
   * Stores a report and applies its effect. False: the message already has one of this kind, and nothing changes. A
   * kind that is not stored (`delivered`) only changes the message's state.
   */
  apply(report: FittingReport, decide: (standing: ReportStanding) => Effect): Promise<boolean>;

  /** Workspaces that have this `bounceDomain` and take complaints at it; at most two. */
  complaintsGoTo(domain: string): Promise<readonly string[]>;

  /** False: the same bytes are already stored. If there are too many, the oldest are dropped (`unread.ts`). */
  keep(mail: UnreadMail): Promise<boolean>;
  /** Newest first; of all workspaces if the workspace is null. */
  unread(workspaceId: string | null): Promise<UnreadMailEntry[]>;
  unreadPage(workspaceId: string, request: PageRequest): Promise<Page<UnreadMailEntry>>;
  findUnread(
    workspaceId: string,
    number: number,
  ): Promise<(UnreadMailEntry & Pick<UnreadMail, "raw">) | null>;
  readUnread(number: number): Promise<Uint8Array | null>;
  /** False: there is none, or it belongs to another workspace. Null: the mail of any workspace. */
  removeUnread(number: number, workspaceId: string | null): Promise<boolean>;
};
