/**
 * Planning a campaign's send: the audience is written into the ledger before anything is sent.
 *
 *   (nothing) --begin--> planning --complete--> sending (the campaign is frozen from here on)
 *                           | |
 *                           | '--stop--> stopped (send-control.ts): those planned so far get nothing
 *                           '--giveUp--> given up --abandon--> (nothing)
 *
 * A plan is given up when a guardrail refused, the campaign was changed meanwhile, or the plan could not be
 * written while somebody waited for it. The guardrails are asked before it begins, and once more in the transaction
 * that completes it.
 *
 * First it is settled who is in a segment, and that is stored. Then the plan is made in short slices, each in its
 * own transaction, so that a million recipients make nobody else wait. The position is recorded from time to time.
 * If the process is killed, planning continues from there and skips recipients that are already planned. Nothing is
 * sent before the plan is complete.
 *
 * A plan continues if the end of the process cut it off, if its database could not be reached, or if a person
 * released it. Before, all guardrails and its schedule are checked again. A plan that was given up never
 * continues, even if its rows could not be deleted: giving up is durable before anybody gets an answer.
 */
import type { Instant } from "#core/time/clock.ts";
import type { Refusal } from "#core/errors/errors.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import type { LetterToFreeze } from "./frozen-letter.ts";
import type { Audience } from "./audience.ts";
import type { AudienceFacts } from "./guardrails.ts";

export type PlanOptions = {
  readonly excludeEmails: readonly string[];
  /**
   * The schedule that starts the send. If it is cancelled or changed before the plan is complete, nothing is sent.
   * Null: a person started it.
   */
  readonly scheduledAt: Instant | null;
  readonly overrideQuietHours: boolean;
  /**
   * The campaign's audience when its guardrails were asked. Without its list or its segment it may be far more people,
   * so nothing is begun for another one. Missing: any.
   */
  readonly audience?: Audience;
};

/** A plan that was begun. `number` is its mailing's number in the ledger. */
export type Plan = { readonly number: number; readonly workspaceId: string; readonly campaignId: string };

/** A plan that nobody is working on: an earlier server left it, or this one gave it up. */
export type UnfinishedPlan = Plan & Pick<PlanOptions, "scheduledAt"> & { readonly state: UnfinishedState };

/** `unreadable`: whether it was given up cannot be read now, so it waits. */
export type UnfinishedState =
  | { readonly kind: "begun"; readonly overrideQuietHours: boolean }
  | { readonly kind: "givenUp" }
  | { readonly kind: "unreadable"; readonly error: Error };

/**
 * What the completing transaction needs: the periods whose usage counts, and the rules that decide whether this
 * letter may be sent to this audience. The letter may be another one than when the plan began.
 */
export type Completion = {
  readonly day: string;
  readonly month: string;
  /** Whether it is known that the letter compiles. That cannot be found out in a transaction. */
  isChecked(letter: LetterToFreeze): boolean;
  check(
    facts: Pick<AudienceFacts, "mailable" | "dayUsed" | "monthUsed">,
    letter: LetterToFreeze,
  ): Refusal | null;
  freeze(letter: LetterToFreeze): MailingContent;
  readonly now: Instant;
};

/** `isGivenUp`: it never goes on. Else its server has ended, and `unfinished` returns it too. */
export type Leftover = Plan & { readonly isGivenUp: boolean };

/**
 * The mailing of a plan that is complete or was stopped. Null: the server that makes it ends first, and `lookAfter`
 * continues it.
 */
export type Planned = number | null;

/**
 * How completing a plan ended. `changed`: during planning the campaign was deleted, or got another audience or
 * schedule. `refused`: by a guardrail. `unchecked`: nothing was done, because this letter is not checked.
 */
export type PlanEnded =
  | "complete"
  | "changed"
  | "stopped"
  | { readonly refused: Refusal }
  | { readonly unchecked: LetterToFreeze };

/**
 * The next work of a plan. `read`: find more contacts, which an engine may do for many slices in advance. `write`:
 * give a slice of contacts their rows. The two take different times, so slices are timed separately for each; a new
 * plan begins with `read`. `end`: everybody is planned. `stopped`: a person stopped the send.
 */
export type PlanWork = "read" | "write" | "end" | "stopped";

export type PlanStore = {
  /** What an earlier plan left: abandon it before the next plan begins. A held plan is not returned: see `begin`. */
  leftover(workspaceId: string, campaignId: string): Promise<Leftover | null>;
  /**
   * Begins a plan, or returns the held one. Null: the campaign was deleted, has neither list nor segment, has another
   * audience than `audience`, or is already being sent. `taken`: another server is making its plan, or has just given it
   * up.
   */
  begin(
    workspaceId: string,
    campaignId: string,
    options: PlanOptions,
    now: Instant,
  ): Promise<Plan | "taken" | null>;
  /**
   * Settles who is in the audience's segments and exclusions, if it has any. This happens once per plan and is
   * durable before anybody is planned, so a continued plan is for the same people.
   */
  settle(plan: Plan, now: Instant): Promise<void>;
  /**
   * Does the next piece of work of a plan, and returns what the next one is. An engine in this process takes at
   * most `contactsMax`; another engine takes as many as are best for it.
   */
  planNext(plan: Plan, contactsMax: number): Promise<PlanWork>;
  /**
   * Counts, checks and reserves in one transaction, and freezes the campaign. After `changed` or `refused`, the plan
   * must be abandoned.
   */
  complete(plan: Plan, completion: Completion): Promise<PlanEnded>;
  /**
   * From now on this plan never continues, whenever the process ends. SQLite needs no write to the database for
   * this. PostgreSQL needs one, and if it fails, whoever waits for the plan gets the error.
   */
  giveUp(plan: Plan): Promise<void>;
  /**
   * Deletes some of the plan's rows, `rowsMax` as in `planNext`. True when all are deleted, or when the plan stays,
   * because it is being sent or another server is making it.
   */
  abandon(plan: Plan, rowsMax: number): Promise<boolean>;
  /** How many recipients an unfinished plan has so far. */
  plannedSoFar(campaignId: string): Promise<number>;
  /**
   * Plans that wait to be continued or deleted; one that continues is returned to one server only. Without plans
   * that a server is working on, and without held or paused ones.
   */
  unfinished(): Promise<UnfinishedPlan[]>;
  /** SCHEDULED campaigns that should be tried now, for the first time or again. */
  due(now: Instant, limit: number): Promise<DueCampaign[]>;
  nextDueAt(): Promise<Instant | null>;
  /**
   * A guardrail stops the campaign: stores the reason and the time of the next try. True if the reason is new.
   * False if it is not, or if the schedule was cancelled or changed meanwhile, because then nothing waits.
   */
  postpone(due: DueCampaign, reason: string, nextTryAt: Instant): Promise<boolean>;
  /** Holds a campaign that is too late to start by itself. */
  hold(due: DueCampaign, reason: string): Promise<void>;
  /**
   * Ends holds for this reason on campaigns whose time is still to come: a clock that was ahead held them. They are
   * due at their time. Returns their ids.
   */
  endHolds(reason: string, now: Instant): Promise<readonly string[]>;
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
