/**
 * What a person may do to a send, by `POST /campaigns/{id}/pause`, `/resume` and `/stop`.
 *
 *   (none) --send, or its time--> planning --plan complete--> sending --nothing is owed--> finished (SENT)
 *                                    |                           |
 *                                    '----------stop-------------'--> stopped --all owed rows skipped--> finished (SENT)
 *
 * A pause is a mark in addition to planning and sending: pause sets it and resume clears it. A restart keeps it,
 * and so does the release of a restored copy. While it is set, no message is claimed. A plan that this server is
 * making is completed meanwhile; one that was cut off by the end of a server waits for resume. If such a plan is
 * refused, a DRAFT is as it was before the send; a SCHEDULED campaign keeps the mark and does not start until
 * resume.
 *
 * A campaign may also be paused automatically (auto-pause.ts), in the same way, once.
 *
 * For a message at its dot, its outcome counts, whatever a person does. If it comes back as owed after a stop, it
 * is skipped like the others. A stop during planning skips those who were planned so far; nobody else gets a row.
 * Skipping is done in slices. If the server ends in the middle, it continues at its next start.
 */
import type { Instant } from "#core/time/clock.ts";
import { refuse, type Refusal, type Result } from "#core/errors/errors.ts";
import type { CampaignStatus } from "#campaigns/campaign.ts";

export type SendAction = "pause" | "resume" | "stop";

/** The state of a campaign's send for these actions. `stopped`: its rows are being skipped. */
export type SendState = {
  readonly status: CampaignStatus;
  readonly phase: "none" | "planning" | "sending" | "stopped";
  readonly isPaused: boolean;
};

export const PAUSED_BY_PERSON = "It is paused: nothing goes out until it is resumed.";

/** Null: the action is possible, or has nothing left to do. The code is always WRONG_STATE. */
export function checkAction(action: SendAction, { status, phase, isPaused }: SendState): Refusal | null {
  if (phase === "planning" || phase === "sending") return null;
  if (phase === "stopped") return action === "stop" ? null : wrong(IS_STOPPED);
  if (isPaused && action !== "stop") return null;
  if (status === "SENT") return wrong(`The campaign is SENT, so there is nothing to ${action}. ${WOULD_DO}`);
  const instead =
    status === "SCHEDULED"
      ? " To keep it from starting, cancel its schedule: DELETE /campaigns/{id}/schedule."
      : "";
  return wrong(`No send of this campaign is under way: it is ${status}. ${WOULD_DO}${instead}`);
}

const WOULD_DO =
  "A send can be paused, resumed and stopped from its start, by a call or by its schedule, until the campaign is SENT.";
const IS_STOPPED = `The send was stopped, and cannot go on. ${WOULD_DO}`;

const wrong = (message: string): Refusal => refuse("WRONG_STATE", message).refusal;

/** A send that was stopped and still has rows to skip. `number` is its mailing's number in the ledger. */
export type StoppedSend = { readonly number: number; readonly campaignId: string };

/** The store for these actions. Every method is one transaction. Null: the workspace has no such campaign. */
export type SendControlStore = {
  /**
   * `why` is what the report shows. After this resolves, no message of the campaign is claimed. A send that is
   * already paused keeps its first reason.
   */
  pause(workspaceId: string, id: string, why: string): Promise<Result<"done"> | null>;
  resume(workspaceId: string, id: string): Promise<Result<"done"> | null>;
  /** The campaigns that are being sent, are not paused, and have never been paused automatically. */
  mayPauseThemselves(): Promise<readonly { readonly workspaceId: string; readonly campaignId: string }[]>;
  /** Pauses automatically, as `pause`, but only once for each campaign; later calls do nothing. */
  pauseItself(workspaceId: string, id: string, why: string): Promise<void>;
  /** From now on no message is claimed. Skip what is owed with `skipOwed`; then the campaign is SENT. */
  stop(workspaceId: string, id: string, now: Instant): Promise<Result<StoppedSend> | null>;
  /**
   * Skips some rows of a stopped send. An engine in this process skips at most `rowsMax`; another engine skips as
   * many as are best for it. `end`: none is owed any more; some may still be at their dot.
   */
  skipOwed(mailing: number, rowsMax: number, now: Instant): Promise<"more" | "end">;
  /** The stopped sends whose campaigns are not SENT yet. */
  stopped(): Promise<StoppedSend[]>;
};
