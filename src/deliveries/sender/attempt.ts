/**
 * One attempt to deliver one message, in the order that keeps the promise (deliveries/ledger.ts): compose,
 * offer it to the relay up to its dot, commit `dot`, let the dot out, record the outcome.
 */
import { present } from "#core/present.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import type { Random } from "#core/random.ts";
import { replyLine, type SmtpReply, type Stage } from "#core/smtp-reply.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import type { DotOutcome, Offer, SmtpFailure, SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import type { Trouble } from "#mail/smtp/relay/relay.ts";
import { attemptLimits } from "./attempt-limits.ts";
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
 * a full disk. `ending` is what happened in that case.
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

export type AttemptParts = {
  readonly session: SmtpSession;
  /** The connection was used before, so the relay may have closed it without our noticing. */
  readonly reused: boolean;
  readonly kind: MailKind;
  readonly message: OwedMessage;
  readonly envelopeSender: string;
  readonly finished: FinishedMessage;
  /** When this attempt began. The first attempt's is the message's Date. */
  readonly startedAt: Instant;
  readonly clock: Clock;
  readonly random: Random;
  /** Called around each wait for the relay. */
  readonly waiting: { asked(): void; ended(isAnswer: boolean): void };
  /**
   * Commits `dot`, durably. `owed`: the message must not go out now, and `over`: never. Rejects when nothing can be
   * written.
   */
  claimDot(): Promise<"dot" | "owed" | "over">;
  /**
   * The dot was sent. A message offered to the session during this call is sent together with it. `answered`
   * resolves with the dot's outcome.
   */
  dotSent(answered: Promise<unknown>): void;
};

/** Rejects only when the ledger cannot be written. Then the connection is cut and no dot was sent. */
export async function attempt(parts: AttemptParts): Promise<Ending> {
  const limits = attemptLimits[parts.kind];
  if (limits === null) return carryOut(parts, () => undefined);
  let isCut = false;
  const cutAfter = (limitMs: number): (() => void) =>
    parts.clock.setTimer(limitMs, () => {
      isCut = true;
      parts.session.destroy();
    });
  let lift = cutAfter(limits.toDotMs);
  const atDot = (): void => {
    lift();
    lift = cutAfter(limits.atDotMs);
  };
  const ending = await carryOut(parts, atDot).finally(() => lift());
  if (!isCut || ending.kind === "barred") return ending;
  const isAtDot = ending.kind === "settled" && ending.outcome.state === "uncertain";
  const detail = `no reply within ${isAtDot ? limits.atDotMs : limits.toDotMs} ms`;
  if (ending.kind === "settled") return { ...ending, lost: detail, isOurLimit: true };
  if (ending.trouble === null) return { ...ending, isOurLimit: true };
  return { ...ending, trouble: { ...ending.trouble, detail, isOurLimit: true } };
}

/** `isAnswer`: whether it was the relay that answered. */
async function answerOf<T>(
  { waiting }: AttemptParts,
  answer: Promise<T>,
  isAnswer: (answer: T) => boolean,
): Promise<T> {
  waiting.asked();
  const given = await answer;
  waiting.ended(isAnswer(given));
  return given;
}

const isGreeted = (closed: SmtpFailure | null): boolean => closed === null || closed.reply !== null;
const isTaken = (offer: Offer): boolean => offer.ok || offer.failure.reply !== null;
const isAnswered = (outcome: DotOutcome): boolean => "reply" in outcome;

async function carryOut(parts: AttemptParts, atDot: () => void): Promise<Ending> {
  const { session, message } = parts;
  const closed = parts.reused ? null : await answerOf(parts, session.open(), isGreeted);
  if (closed) return relayFailed(closed);
  const envelope = { from: parts.envelopeSender, to: message.address };
  const offer = await answerOf(parts, session.offer(envelope, parts.finished), isTaken);
  if (!offer.ok) return beforeTheDot(offer.failure, parts);
  const claimed = await parts.claimDot().catch((error: unknown) => {
    session.destroy();
    throw error;
  });
  if (claimed !== "dot") {
    session.destroy();
    return claimed === "owed" ? untouched : { kind: "barred" };
  }
  atDot();
  const answered = offer.finish();
  parts.dotSent(answered);
  return atTheDot(await answerOf(parts, answered, isAnswered), parts);
}

function relayFailed({ stage, reply, detail, isOurs }: SmtpFailure): Ending {
  if (isOurs) return untouched;
  const meaning = reply && classifyReply(stage, reply);
  const kind = meaning?.kind === "relay" ? meaning.trouble : "down";
  return { ...untouched, trouble: { kind, stage, detail: describe(reply, detail) } };
}

const untouched = { kind: "untouched", trouble: null, atDot: false, refused: null } as const;

function beforeTheDot(failure: SmtpFailure, parts: AttemptParts): Ending {
  if (failure.isOurs || isOldConnection(failure, parts)) return untouched;
  return endingOf({ ...failure, atDot: false }, parts);
}

/**
 * The relay closed a kept connection, or refuses more mail on it. That says nothing about the message or the
 * relay, and the message is tried at once on a fresh connection. The same answer on a fresh connection means
 * that we ask too much of the relay.
 */
const isOldConnection = ({ stage, reply }: SmtpFailure, { reused }: AttemptParts): boolean =>
  reused && stage === "MAIL" && (reply === null || reply.code === 421);

function atTheDot(outcome: DotOutcome, parts: AttemptParts): Ending {
  if ("lost" in outcome) return uncertain(outcome.isOurs ? SERVER_STOPPED : "CONNECTION_LOST", outcome.lost);
  // Before the dot was written, the connection was lost or the relay sent an unexpected reply: nothing was
  // delivered.
  if ("unsent" in outcome)
    return outcome.unsent.isOurs
      ? { ...untouched, atDot: true }
      : endingOf({ ...outcome.unsent, atDot: true }, parts);
  const { reply } = outcome;
  const meaning = classifyReply("DOT", reply);
  if (meaning.kind === "failed" && meaning.reason === "UNREADABLE_REPLY") return uncertain(meaning.reason);
  return endingOf({ stage: "DOT", reply, detail: "", atDot: true }, parts);
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

function endingOf(failed: Failed, parts: AttemptParts): Ending {
  const { stage, reply, atDot } = failed;
  // The dot was not written: whatever the stage, a loss means what it means while the body is written.
  const meaning = reply ? classifyReply(stage, reply) : classifyLoss("DATA");
  switch (meaning.kind) {
    case "relay":
      return ofRelay(meaning.trouble, OF_A_DOMAIN.has(meaning.reason), failed, parts);
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
      if (meaning.strike === null) return ending;
      return { ...ending, doubt: { about: "strike", ending: ofRelay("config", false, failed, parts) } };
    }
    case "deferred": {
      const outcome = deferred(meaning.reason, meaning.minPauseMs, reply, parts);
      const ending = { ...settled(outcome, meaning.strike, atDot), lost: failed.detail };
      // At MAIL the relay does not know the recipient yet.
      if (stage !== "MAIL" || reply === null) return ending;
      return { ...ending, doubt: { about: "put off", ending: ofRelay("down", false, failed, parts) } };
    }
  }
}

/** `mayBeDomain`: a relay may pass such words on from the recipient's server. */
function ofRelay(
  kind: Trouble["kind"],
  mayBeDomain: boolean,
  { stage, reply, detail, atDot }: Failed,
  parts: AttemptParts,
): Untouched {
  const trouble = { kind, stage, detail: describe(reply, detail) };
  const putOff = deferred("REFUSED_BY_RELAY", 0, reply, parts);
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
  parts: Pick<AttemptParts, "message" | "kind" | "clock" | "random" | "startedAt">,
  detail?: string,
): Outcome {
  const { message, kind, clock, random, startedAt } = parts;
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

const isAfterSender = (stage: Stage): boolean => stage === "RCPT" || stage === "DATA" || stage === "DOT";

const ADDRESS = /[^\s<>()[\]:;,"]{1,64}@[^\s<>()[\]:;,"]{1,255}/g;

/**
 * A relay's reply in words, without the addresses that it names. What is said about a relay is in the log and in
 * the reports of other workspaces; of the service's relays at `/health` too.
 */
const describe = (reply: SmtpReply | null, detail: string): string =>
  reply ? replyLine({ ...reply, text: reply.text.replaceAll(ADDRESS, "…") }) : detail;
