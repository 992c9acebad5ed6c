/**
 * Planning a campaign's send: the audience is written into the ledger before anything is sent.
 *
 *   (nothing) --begin--> planning --complete--> sending (the campaign is frozen from here on)
 *                           | |
 *                           | '--stop--> stopped (send-control.ts): those planned so far get nothing
 *                           '--giveUp--> given up --abandon--> (nothing)
 *
 * A plan is given up when a guardrail refused, the campaign was changed meanwhile, or the plan could not be
 * written.
 *
 * Who is in a segment is settled first, and kept. Then a plan is made in short slices, so that a million
 * recipients make nobody else wait, each in a transaction of its own. The position is recorded from time to time.
 * If the process is killed, planning continues from there and skips the recipients that are already planned.
 * Nothing is sent before the plan is complete.
 *
 * Only a plan that was cut off by the end of the process continues, and only after all guardrails and its
 * schedule were checked again. A plan that was given up never continues, even where its rows could not be
 * deleted: giving up is durable before anybody gets the answer.
 */
import type { Instant } from "#core/time/clock.ts";
import type { Refusal } from "#core/errors/errors.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import type { Letter } from "./frozen-letter.ts";
import type { AudienceFacts } from "./guardrails.ts";

export type PlanOptions = {
  readonly excludeEmails: readonly string[];
  /**
   * The schedule that starts the send. If it is cancelled or changed before the plan is complete, nothing is
   * sent. Null: a person's call.
   */
  readonly scheduledAt: Instant | null;
  readonly overrideQuietHours: boolean;
};

/** A plan that was begun. `number` is its mailing's number in the ledger. */
export type Plan = { readonly number: number; readonly workspaceId: string; readonly campaignId: string };

/**
 * A plan that nobody is working on: an earlier server left it, or this one gave it up. `goesOn` is null where
 * it was given up.
 */
export type UnfinishedPlan = Plan &
  Pick<PlanOptions, "scheduledAt"> & { readonly goesOn: Pick<PlanOptions, "overrideQuietHours"> | null };

/**
 * What the completing transaction needs: the periods whose usage counts, and the rule whether the audience
 * may be mailed.
 */
export type Completion = {
  readonly day: string;
  readonly month: string;
  check(facts: Pick<AudienceFacts, "mailable" | "dayUsed" | "monthUsed">): Refusal | null;
  freeze(letter: Letter): MailingContent;
  readonly now: Instant;
};

/**
 * What a plan has to do next. `read`: find more contacts, which an engine may do for many slices ahead; `write`: give
 * a slice of contacts their rows. They cost differently, so whoever fits slices into a time tells them apart; a new
 * plan begins with `read`. `end`: everybody is planned. `stopped`: a person stopped the send.
 */
export type PlanWork = "read" | "write" | "end" | "stopped";

export type PlanStore = {
  /** What an earlier plan left: abandon it before the next plan begins. A held plan stays: see `begin`. */
  leftover(workspaceId: string, campaignId: string): Promise<Plan | null>;
  /**
   * Begins a plan, or finds the held one. Null: the campaign was deleted, has neither list nor segment, or is
   * already being sent. `taken`: another server makes its plan.
   */
  begin(
    workspaceId: string,
    campaignId: string,
    options: PlanOptions,
    now: Instant,
  ): Promise<Plan | "taken" | null>;
  /**
   * Settles who is in the audience's segments and exclusions, if it has any: once for a plan, and durable
   * before anybody is planned. A plan that is continued is for the same people.
   */
  settle(plan: Plan, now: Instant): Promise<void>;
  /**
   * Does the next piece of work of a plan, and says what the next one is. An engine that works in this process takes at
   * most `contactsMax`; another one as many as are best for it.
   */
  planNext(plan: Plan, contactsMax: number): Promise<PlanWork>;
  /**
   * Counts, checks and reserves in one transaction, and freezes the campaign. `changed`: while it was
   * planned, the campaign was deleted, given another audience, or its schedule was changed. Unless the answer is
   * `complete`, the plan must be abandoned.
   */
  complete(plan: Plan, completion: Completion): Promise<"complete" | "changed" | "stopped" | Refusal>;
  /**
   * From now on this plan never continues, whenever the process ends. With SQLite it needs no write to the database; with
   * PostgreSQL it is one, and who waits for the plan is told where it fails.
   */
  giveUp(plan: Plan): Promise<void>;
  /**
   * Deletes some of the plan's rows, `rowsMax` as in `planNext`. True when all of it is deleted, or when it is being sent
   * or another server makes it, so that it stays.
   */
  abandon(plan: Plan, rowsMax: number): Promise<boolean>;
  /** How many recipients an unfinished plan has so far. */
  plannedSoFar(campaignId: string): Promise<number>;
  /**
   * Plans that wait to be continued or deleted; no other server is told of those that continue. Not those that a server
   * is working on, nor those that are held or paused.
   */
  unfinished(): Promise<UnfinishedPlan[]>;
  /** SCHEDULED campaigns that should be tried now, for the first time or again. */
  due(now: Instant, limit: number): Promise<DueCampaign[]>;
  nextDueAt(): Promise<Instant | null>;
  /**
   * A guardrail stops the campaign: stores the reason and the time of the next try. True when the reason is a
   * new one. False also when the schedule was cancelled or changed meanwhile, because then nothing waits.
   */
  postpone(due: DueCampaign, reason: string, nextTryAt: Instant): Promise<boolean>;
  /** Too late to start by itself. */
  hold(due: DueCampaign, reason: string): Promise<void>;
};

/**
 * `dueAt` is its scheduled time, or the next try after a guardrail stopped it, or the moment a person
 * released it.
 */
export type DueCampaign = {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly scheduledAt: Instant;
  readonly dueAt: Instant;
};
