/**
 * One attempt to deliver one message, in the order that keeps the promise (deliveries/ledger.ts): compose,
 * offer it to the relay up to its dot, commit `dot`, let the dot out, record the outcome. What each answer means is in
 * `ending.ts`.
 */
import type { Clock } from "#core/time/clock.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import type { DotOutcome, Offer, SmtpFailure, SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { attemptLimits } from "./attempt-limits.ts";
import { atTheDot, beforeTheDot, relayFailed, untouched, type Ending, type Tried } from "./ending.ts";

export type AttemptParts = Tried & {
  readonly session: SmtpSession;
  readonly envelopeSender: string;
  readonly finished: FinishedMessage;
  readonly clock: Clock;
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
