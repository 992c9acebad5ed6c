/**
 * How an attempt has ended: what the relay's answers mean for the message and for the relay. `attempt.ts` has the
 * conversation.
 */
import { present } from "#core/present.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import type { Random } from "#core/random.ts";
import { isAfterSender, replyLine, type SmtpReply, type Stage } from "#core/smtp-reply.ts";
import type { DotOutcome, SmtpFailure } from "#mail/smtp/session/smtp-outcome.ts";
import type { Trouble } from "#mail/smtp/relay/relay.ts";
import { nextTry } from "./retry-times.ts";
import type { Outcome, OwedMessage } from "#deliveries/ledger.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";
import { SERVER_STOPPED } from "#deliveries/moves/left-behind.ts";
import { classifyLoss, classifyReply } from "#deliveries/reply/reply.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";
import type { AboutOne } from "./refusal-count.ts";

/** How an attempt ended. `untouched`: not the message's fault, so it is owed as before. */
export type Ending =
  | {
      readonly kind: "settled";
      readonly outcome: Outcome;
      readonly strike: StrikeKind | null;
      readonly atDot: boolean;
      /** How the connection ended, if it was lost. */
      readonly lost?: string;
      /** We cut the connection ourselves, because the message could not wait (`attempt-limits.ts`). */
      readonly isOurLimit?: true;
      readonly doubt?: Doubt;
    }
  | Untouched
  /** The row was skipped or is no longer owed. The ledger already has that. */
  | { readonly kind: "barred" };

export type Untouched = {
  readonly kind: "untouched";
  readonly trouble: Trouble | null;
  /** True: the ledger has the row as `dot`, so the outcome must be recorded. */
  readonly atDot: boolean;
  readonly refused: Refused | null;
  /** As above, on a kept connection: perhaps it was dead, and perhaps the relay says nothing. */
  readonly isOurLimit?: true;
};

/**
 * The reply reads as if it were about this message, but a relay that takes nobody says the same: "account disabled",
 * "access denied", a full disk. `ending` is what happened in that case.
 */
type Doubt = { readonly about: AboutOne; readonly ending: Untouched };

/**
 * The relay refused this one message, not the connection. `putOff` is the outcome if the message itself is at
 * fault.
 */
type Refused = {
  readonly stage: Stage;
  readonly reply: SmtpReply;
  readonly putOff: Outcome;
  /** The reply says that we are too fast, perhaps only for the recipient's domain. */
  readonly isAboutDomain: boolean;
};

/** A message on its way, as far as its ending depends on it. */
export type Tried = {
  readonly message: OwedMessage;
  readonly kind: MailKind;
  /** The connection was used before, so the relay may have closed it without our noticing. */
  readonly reused: boolean;
  /** When this attempt began. The first attempt's is the message's Date. */
  readonly startedAt: Instant;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "fraction">;
};

/** The session could not be opened. */
export function relayFailed({ stage, reply, detail, isOurs }: SmtpFailure): Ending {
  if (isOurs) return untouched;
  const meaning = reply && classifyReply(stage, reply);
  const kind = meaning?.kind === "relay" ? meaning.trouble : "down";
  return { ...untouched, trouble: { kind, stage, detail: describe(reply, detail) } };
}

export const untouched = { kind: "untouched", trouble: null, atDot: false, refused: null } as const;

export function beforeTheDot(failure: SmtpFailure, tried: Tried): Ending {
  if (failure.isOurs || isOldConnection(failure, tried)) return untouched;
  return endingOf({ ...failure, atDot: false }, tried);
}

/**
 * The relay closed a kept connection, or refuses more mail on it. That says nothing about the message or the
 * relay, and the message is tried at once on a fresh connection. The same answer on a fresh connection means
 * that we ask too much of the relay.
 */
const isOldConnection = ({ stage, reply }: SmtpFailure, { reused }: Tried): boolean =>
  reused && stage === "MAIL" && (reply === null || reply.code === 421);

export function atTheDot(outcome: DotOutcome, tried: Tried): Ending {
  if ("lost" in outcome) return uncertain(outcome.isOurs ? SERVER_STOPPED : "CONNECTION_LOST", outcome.lost);
  // Before the dot was written, the connection was lost or the relay sent an unexpected reply: nothing was
  // delivered.
  if ("unsent" in outcome)
    return outcome.unsent.isOurs
      ? { ...untouched, atDot: true }
      : endingOf({ ...outcome.unsent, atDot: true }, tried);
  const { reply } = outcome;
  const meaning = classifyReply("DOT", reply);
  if (meaning.kind === "failed" && meaning.reason === "UNREADABLE_REPLY") return uncertain(meaning.reason);
  return endingOf({ stage: "DOT", reply, detail: "", atDot: true }, tried);
}

const settled = (
  outcome: Outcome,
  strike: StrikeKind | null,
  atDot: boolean,
): Ending & { kind: "settled" } => ({
  kind: "settled",
  outcome,
  strike,
  atDot,
});

const uncertain = (reason: string, lost = ""): Ending => ({
  ...settled({ state: "uncertain", reason }, null, true),
  lost,
});

type Failed = SmtpFailure & { readonly atDot: boolean };

function endingOf(failed: Failed, tried: Tried): Ending {
  const { stage, reply, atDot } = failed;
  // The dot was not written: whatever the stage, a loss means what it means while the body is written.
  const meaning = reply ? classifyReply(stage, reply) : classifyLoss("DATA");
  switch (meaning.kind) {
    case "relay":
      return ofRelay(meaning.trouble, OF_A_DOMAIN.has(meaning.reason), failed, tried);
    case "sent":
      return settled({ state: "sent", reply: present(reply, "reply that settled it") }, null, atDot);
    case "bounced":
      return settled(
        { state: "bounced", reason: meaning.reason, reply: present(reply, "reply that settled it") },
        null,
        atDot,
      );
    case "failed": {
      const ending = settled({ state: "failed", reason: meaning.reason, reply }, meaning.strike, atDot);
      const mayBeUs = meaning.strike !== null || (stage === "RCPT" && NAMES_NO_MAILBOX.has(meaning.reason));
      if (!mayBeUs) return ending;
      return { ...ending, doubt: { about: "strike", ending: ofRelay("config", false, failed, tried) } };
    }
    case "deferred": {
      const outcome = deferred(meaning.reason, meaning.minPauseMs, reply, tried);
      const ending = { ...settled(outcome, meaning.strike, atDot), lost: failed.detail };
      // At MAIL the relay does not know the recipient yet.
      if (stage !== "MAIL" || reply === null) return ending;
      return { ...ending, doubt: { about: "put off", ending: ofRelay("down", false, failed, tried) } };
    }
  }
}

/** Before it has seen the mail, a relay that lets nobody in says the same of each recipient ("access denied"). */
const NAMES_NO_MAILBOX: ReadonlySet<string> = new Set(["POLICY_BLOCK", "SPAM_BLOCK", "MESSAGE_REFUSED"]);

/** `mayBeDomain`: a relay may pass such words on from the recipient's server. */
function ofRelay(
  kind: Trouble["kind"],
  mayBeDomain: boolean,
  { stage, reply, detail, atDot }: Failed,
  tried: Tried,
): Untouched {
  const trouble = { kind, stage, detail: describe(reply, detail) };
  const putOff = deferred("REFUSED_BY_RELAY", 0, reply, tried);
  const isAboutDomain = isAfterSender(stage) && mayBeDomain;
  const refused = reply && { stage, reply, putOff, isAboutDomain };
  return { kind: "untouched", trouble, atDot, refused };
}

/**
 * The message is still owed and is tried again after a growing pause; `failed` when its time is over. `detail`: why it
 * could not be composed, in words.
 */
export function deferred(
  reason: string,
  minPauseMs: number,
  reply: SmtpReply | null,
  tried: Omit<Tried, "reused">,
  detail?: string,
): Outcome {
  const { message, kind, clock, random, startedAt } = tried;
  // Its dot may have been tried long ago, and the relay's quota was used up since then: no attempt has counted.
  const isFirst = message.attempts === 0 && kind !== "transactional";
  const retry = nextTry(kind, {
    attempts: message.attempts + 1,
    firstAttemptAt: isFirst ? startedAt : (message.firstAttemptAt ?? startedAt),
    now: clock.now(),
    minPauseMs,
    jitter: random.fraction(),
  });
  const why = { reason, reply, ...(detail === undefined ? {} : { detail }) };
  return retry === null ? { state: "failed", ...why } : { state: "queued", ...why, nextAttemptAt: retry.at };
}

/** Reasons that a relay may pass on from another server. A 454, or a daily quota, is about the relay itself. */
const OF_A_DOMAIN: ReadonlySet<string> = new Set(["SERVICE_BUSY", "RATE_LIMITED"]);

const ADDRESS = /[^\s<>()[\]:;,"]{1,64}@[^\s<>()[\]:;,"]{1,255}/g;

/**
 * A relay's reply in words, without the addresses that it names. What is said about a relay is in the log and in
 * the reports of other workspaces; of the service's relays at `/health` too.
 */
const describe = (reply: SmtpReply | null, detail: string): string =>
  reply ? replyLine({ ...reply, text: reply.text.replaceAll(ADDRESS, "…") }) : detail;
