/**
 * One attempt to deliver one message, in the order that keeps the promise (deliveries/ledger.ts): compose, offer it to the
 * relay up to its dot, commit `dot`, let the dot out, record the outcome.
 */
import type { Clock, Instant } from "#core/clock.ts";
import type { Random } from "#core/random.ts";
import type { SmtpReply, Stage } from "#core/smtp-reply.ts";
import type { Ascii } from "#mail/mime/ascii.ts";
import type { SmtpFailure, DotOutcome } from "#mail/smtp/smtp-outcome.ts";
import type { SmtpSession } from "#mail/smtp/smtp-session.ts";
import type { Trouble } from "#mail/smtp/relay.ts";
import { attemptLimits } from "./attempt-limits.ts";
import { giveUpAfterMs, nextAttempt, REQUEST_PAUSES_MS } from "./backoff.ts";
import type { Outcome, OwedMessage } from "#deliveries/ledger.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";
import { classifyLoss, classifyReply } from "#deliveries/reply/reply.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";

/** How an attempt ended. `untouched`: not the message's doing, it is owed as before. */
export type Ending =
  | {
      readonly kind: "settled";
      readonly outcome: Outcome;
      readonly strike: StrikeKind | null;
      readonly atDot: boolean;
    }
  | {
      readonly kind: "untouched";
      readonly trouble: Trouble | null;
      /** The ledger has the row as `dot`: it must be told. */
      readonly atDot: boolean;
      readonly refused: Refused | null;
    }
  /** The row was skipped or is owed no longer; the ledger knows. */
  | { readonly kind: "barred" };

/** What the relay said to this very message, not to the connection. `putOff` is its outcome where that is the message's own fault. */
type Refused = { readonly stage: Stage; readonly reply: SmtpReply; readonly putOff: Outcome };

export type AttemptParts = {
  readonly session: SmtpSession;
  /** The connection was used before, so it may have gone stale unnoticed. */
  readonly reused: boolean;
  readonly kind: MailKind;
  readonly message: OwedMessage;
  readonly envelopeSender: string;
  readonly bytes: Ascii;
  /** When this attempt began: the Date of a first one. */
  readonly startedAt: Instant;
  readonly clock: Clock;
  readonly random: Random;
  /** Commits `dot`, durably. False: the message must not go out. Rejects when nothing can be written. */
  claimDot(): Promise<boolean>;
  /** The dot is on its way: what is offered to the session in this call goes out with it. Resolves with the dot's outcome. */
  dotSent(answered: Promise<unknown>): void;
};

/** Rejects only when the ledger cannot be written; then the connection is cut and no dot was sent. */
export async function attempt(parts: AttemptParts): Promise<Ending> {
  const limits = attemptLimits[parts.kind];
  if (limits === null) return carryOut(parts, () => undefined);
  let lift = cutAfter(limits.toDotMs, parts);
  const atDot = (): void => {
    lift();
    lift = cutAfter(limits.atDotMs, parts);
  };
  return await carryOut(parts, atDot).finally(() => lift());
}

const cutAfter = (limitMs: number, { session, clock }: AttemptParts): (() => void) =>
  clock.setTimer(limitMs, () => session.destroy());

async function carryOut(parts: AttemptParts, atDot: () => void): Promise<Ending> {
  const { session, message } = parts;
  const closed = parts.reused ? null : await session.open();
  if (closed) return relayFailed(closed);
  const offer = await session.offer(
    { from: parts.envelopeSender, to: message.address },
    { checked: parts.bytes },
  );
  if (!offer.ok) return beforeTheDot(offer.failure, parts);
  const claimed = await parts.claimDot().catch((error: unknown) => {
    session.destroy();
    throw error;
  });
  if (!claimed) {
    session.destroy();
    return { kind: "barred" };
  }
  atDot();
  const answered = offer.finish();
  parts.dotSent(answered);
  return atTheDot(await answered, parts);
}

function relayFailed({ stage, reply, detail }: SmtpFailure): Ending {
  const meaning = reply ? classifyReply(stage, reply) : classifyLoss(stage);
  const kind = meaning.kind === "relay" ? meaning.trouble : "down";
  return { ...untouched, trouble: { kind, stage, detail: describe(reply, detail) } };
}

const untouched = { kind: "untouched", trouble: null, atDot: false, refused: null } as const;

function beforeTheDot(failure: SmtpFailure, parts: AttemptParts): Ending {
  if (isOldConnection(failure, parts)) return untouched;
  return endingOf({ ...failure, atDot: false }, parts);
}

/**
 * A kept connection that the relay closed meanwhile, or says it has had enough of: that says nothing about anybody, and a
 * fresh one tries at once. One that says so on a fresh connection is asked too much of.
 */
const isOldConnection = ({ stage, reply }: SmtpFailure, { reused }: AttemptParts): boolean =>
  reused && stage === "MAIL" && (reply === null || reply.code === 421);

function atTheDot(outcome: DotOutcome, parts: AttemptParts): Ending {
  if ("lost" in outcome) return uncertain("CONNECTION_LOST");
  // The connection was gone, or the relay spoke out of turn, before the dot was written: nothing was delivered.
  if ("unsent" in outcome) return endingOf({ ...outcome.unsent, atDot: true }, parts);
  const { reply } = outcome;
  const meaning = classifyReply("DOT", reply);
  if (meaning.kind === "failed" && meaning.reason === "UNREADABLE_REPLY") return uncertain(meaning.reason);
  return endingOf({ stage: "DOT", reply, detail: "", atDot: true }, parts);
}

const settled = (outcome: Outcome, strike: StrikeKind | null, atDot: boolean): Ending => ({
  kind: "settled",
  outcome,
  strike,
  atDot,
});

const uncertain = (reason: string): Ending => settled({ state: "uncertain", reason }, null, true);

function endingOf(
  { stage, reply, detail, atDot }: SmtpFailure & { readonly atDot: boolean },
  parts: AttemptParts,
): Ending {
  const meaning = reply ? classifyReply(stage, reply) : classifyLoss("DATA");
  switch (meaning.kind) {
    case "relay": {
      const trouble = { kind: meaning.trouble, stage, detail: describe(reply, detail) };
      const refused = reply && { stage, reply, putOff: deferred("REFUSED_BY_RELAY", 0, reply, parts) };
      return { kind: "untouched", trouble, atDot, refused };
    }
    case "sent":
      return settled({ state: "sent", reply: reply! }, null, atDot);
    case "bounced":
      return settled({ state: "bounced", reason: meaning.reason, reply: reply! }, null, atDot);
    case "failed":
      return settled({ state: "failed", reason: meaning.reason, reply }, meaning.strike, atDot);
    case "deferred": {
      const outcome = deferred(meaning.reason, meaning.minPauseMs, reply, parts);
      return settled(outcome, meaning.strike, atDot);
    }
  }
}

/** Owed still, to be tried again after a pause that grows; `failed` when its time is over. */
export function deferred(
  reason: string,
  minPauseMs: number,
  reply: SmtpReply | null,
  parts: Pick<AttemptParts, "message" | "kind" | "clock" | "random" | "startedAt">,
): Outcome {
  const { message, kind, clock, random, startedAt } = parts;
  const retry = nextAttempt({
    attempts: message.attempts + 1,
    firstAttemptAt: message.firstAttemptAt ?? startedAt,
    now: clock.now(),
    giveUpAfterMs: giveUpAfterMs[kind],
    ...(kind === "transactional" ? { minPauseMs: 0, pausesMs: REQUEST_PAUSES_MS } : { minPauseMs }),
    jitter: random.fraction(),
  });
  return retry === null
    ? { state: "failed", reason, reply }
    : { state: "queued", reason, reply, nextAttemptAt: retry.at };
}

const describe = (reply: SmtpReply | null, detail: string): string =>
  reply ? [reply.code, reply.enhanced, reply.text].filter(Boolean).join(" ") : detail;
