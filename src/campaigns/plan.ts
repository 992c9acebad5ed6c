/**
 * Planning a campaign's send: the audience is written into the ledger before anything goes out.
 *
 *   (nothing) --begin--> planning --complete--> sending (the campaign is frozen from here on)
 *                           |
 *                           '--giveUp--> given up --abandon--> (nothing)
 *                                        a guardrail refused, the campaign was changed meanwhile, or the plan could not be written
 *
 * A plan is made in short slices, so that a million recipients keep nobody waiting: the list is gathered a stretch at a time, and a
 * stretch is planned slice by slice, each a transaction. How far the plan came is recorded at the end of a stretch: killed at any
 * moment, planning goes on from there and passes over who is planned already. Nothing is sent before it is complete.
 *
 * Only a plan that the end of the process cut off goes on, and all guardrails and its schedule are looked at again first. One that is
 * given up never does, whether or not its rows could be taken out again: that is durable before anybody is told.
 */
import type { Instant } from "#core/clock.ts";
import type { Refusal } from "#core/errors.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import type { AudienceFacts } from "./guardrails.ts";

export type PlanOptions = {
  readonly excludeEmails: readonly string[];
  /** The schedule that starts the send: cancelled or changed before the plan is complete, nothing goes out. Null: a person's call. */
  readonly scheduledAt: Instant | null;
  readonly overrideQuietHours: boolean;
};

/** A plan that was begun. `number` is its mailing's place in the ledger. */
export type Plan = { readonly number: number; readonly workspaceId: string; readonly campaignId: string };

/** A plan nobody is making, of an earlier server or given up by this one. `goesOn` is null where it was given up. */
export type UnfinishedPlan = Plan &
  Pick<PlanOptions, "scheduledAt"> & { readonly goesOn: Pick<PlanOptions, "overrideQuietHours"> | null };

/** The campaign as it is frozen. */
export type Letter = {
  readonly subject: string;
  readonly html: string;
  readonly list: { readonly id: string; readonly name: string };
};

/** What the completing transaction asks: the usage of these periods, and whether the audience may be mailed. */
export type Completion = {
  readonly day: string;
  readonly month: string;
  check(facts: Pick<AudienceFacts, "mailable" | "dayUsed" | "monthUsed">): Refusal | null;
  freeze(letter: Letter): MailingContent;
  readonly now: Instant;
};

export type PlanStore = {
  /** What an earlier plan left, to be abandoned before the next one begins. One that is held stays: see `begin`. */
  leftover(workspaceId: string, campaignId: string): Promise<Plan | null>;
  /** Begins a plan, or finds the one that is held. Null: the campaign is gone, has no list, or is under way. */
  begin(workspaceId: string, campaignId: string, options: PlanOptions, now: Instant): Promise<Plan | null>;
  /** Reads on: `stretch` when there are enough contacts to be planned together, `end` when the list has been walked to its end. */
  gather(plan: Plan, contactsMax: number): Promise<"more" | "stretch" | "end">;
  /** Plans the next slice of the stretch that was gathered; `end` when that is done. */
  advance(plan: Plan, contactsMax: number): Promise<"more" | "end">;
  /**
   * Counts, checks and reserves in one transaction, and freezes the campaign. `changed`: the campaign was deleted, put on
   * another list, or its schedule was changed while it was planned. Unless `complete`, the plan must be abandoned.
   */
  complete(plan: Plan, completion: Completion): Promise<"complete" | "changed" | Refusal>;
  /** From now on the plan does not go on, whenever the process ends. Needs no write to the database. */
  giveUp(plan: Plan): Promise<void>;
  /** Takes some of the plan's rows out again; true when it is gone altogether, or is being sent: then it stays. */
  abandon(plan: Plan, rowsMax: number): Promise<boolean>;
  /** How many an unfinished plan has to mail, as far as it has come. */
  plannedSoFar(campaignId: string): Promise<number>;
  /** Plans that wait to go on or to be taken back: not those that this server is making, nor held ones. */
  unfinished(): Promise<UnfinishedPlan[]>;
  /** SCHEDULED campaigns whose time for a (further) try has come. */
  due(now: Instant, limit: number): Promise<DueCampaign[]>;
  nextDueAt(): Promise<Instant | null>;
  /**
   * A guardrail stands in the way: the reason is kept, and the next try set. True when the reason is a new one; false too
   * when the schedule was cancelled or changed meanwhile, for then nothing waits.
   */
  postpone(due: DueCampaign, reason: string, nextTryAt: Instant): Promise<boolean>;
  /** Too late to go out by itself. */
  hold(due: DueCampaign, reason: string): Promise<void>;
};

/** `dueAt` is its time, or the next try after a guardrail stood in the way, or the moment a person released it. */
export type DueCampaign = {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly scheduledAt: Instant;
  readonly dueAt: Instant;
};
