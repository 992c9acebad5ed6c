import type { Clock, Instant } from "#core/time/clock.ts";
import type { Refusal } from "#core/errors/errors.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import type { Lease } from "#mail/smtp/relay/relay.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import type { Composed } from "#deliveries/letter.ts";
import { isNotNow, type Claim } from "#deliveries/moves/claim.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { WayOut } from "#deliveries/way-out.ts";
import { RefusedForNow } from "#work/pool.ts";
import { attempt } from "./attempt.ts";
import { composeSafely, type Thrown } from "./composing.ts";
import type { Conclusions } from "./conclusion.ts";
import { deferred, type Ending } from "./ending.ts";
import type { Mailings, ActiveMailing } from "./mailings.ts";
import { asOf, wasJustChecked } from "./just-checked.ts";
import { isUsedUp } from "./pump.ts";
import type { Recorder } from "./recorder.ts";

/** What every message needs on its way; the same for all of them. */
export type DeliveryParts = {
  readonly ledger: Pick<LedgerStore, "skipIfBarred" | "claimDot">;
  /** The number of this run of the server. Rows at their dot record it. */
  readonly serverRun: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly mailings: Mailings;
  readonly recorder: Recorder;
  readonly conclusions: Conclusions;
  /** Work that has not finished: `Sender.stop` waits for it. */
  readonly unfinished: Set<Promise<void>>;
  /** Connections whose message is not at its dot yet: `Sender.stop` may cut them. */
  readonly beforeDot: Set<SmtpSession>;
  /** Messages that were started and may come to their dot. */
  readonly approaching: Set<Delivery>;
  readonly stop: AbortSignal;
  /** False: the sender stops, or nothing can be written. */
  mayStart(): boolean;
  /** Called when a connection is free again. */
  pump(): void;
  /** Called once for each message. */
  collectGarbage(): void;
};

const withMailbox = (message: OwedMessage, { optOutTo }: WayOut): OwedMessage =>
  optOutTo === null ? message : { ...message, unsubscribeMailbox: optOutTo(message.number) };

/**
 * One message on its way through one connection.
 *
 *   taken; composing begins
 *     --> checked again, if its row was read a while ago
 *     --> offered to the relay, up to its dot
 *     --> dot committed; meanwhile the next message for this connection is taken and composed. A signed one was already
 *         taken when this one was offered
 *     --> dot written, and the next message offered right behind it
 *     --> the relay answers, and the outcome is recorded
 *
 * It may end at every arrow: skipped, cannot be composed, refused, cut off by `stop`. If it ends before the dot is
 * committed, the message has an outcome or stays owed; after that, it always has an outcome. The connection goes to
 * the next message or back to its relay.
 */
export class Delivery {
  readonly #startedAt: Instant;
  readonly #message: OwedMessage;
  readonly #composed: Promise<Composed | Thrown>;
  /** The pending answer to the dot of the previous message on this connection. */
  #behind: Promise<unknown> | undefined;
  #next: Delivery | null = null;
  #hasEnded = false;
  /** True: no domain was held back when this message was taken. */
  readonly #isBesideLanes: boolean;
  /** True: the connection belongs to the next message now. */
  #isPassedOn = false;

  /**
   * Takes the next row of a mailing and begins to compose and sign it. Call it only if there is a row; then call
   * `start` or `putBack`.
   */
  constructor(
    private readonly parts: DeliveryParts,
    private readonly active: ActiveMailing,
    private readonly wayOut: WayOut,
    private readonly lease: Lease,
  ) {
    parts.collectGarbage();
    this.#startedAt = parts.clock.now();
    this.#isBesideLanes = active.feed.lanes.isEmpty;
    this.#message = withMailbox(asOf(this.#startedAt, active.feed.take()), wayOut);
    if (active.ramp !== null) active.ramp.left--;
    const date = this.#message.firstAttemptAt ?? this.#startedAt;
    const { host } = lease.relay;
    this.#composed = composeSafely(active.letter, this.#message, date, { host, sign: wayOut.sign });
  }

  /** Delivers the message, and gives the connection back unless the next message has it. */
  start(behind?: Promise<unknown>): void {
    const { mailings, conclusions, unfinished, pump } = this.parts;
    this.#behind = behind;
    this.parts.approaching.add(this);
    mailings.started(this.active.feed, this.#message);
    conclusions.started(this.lease, this.#message);
    // If a domain has a limit, a composed message counts as under way, so nothing is taken early.
    if (this.wayOut.sign !== null && this.#isBesideLanes) this.#lookForNext();
    const carryOut = async (): Promise<void> => {
      try {
        await this.#deliver();
      } catch (error) {
        this.#couldNotBeWritten(error);
      }
      // A message that was never offered may have taken the next one all the same.
      this.#endOffer();
      this.parts.approaching.delete(this);
      await behind;
      unfinished.delete(work);
      const isFree = this.#isPassedOn ? Promise.resolve() : this.lease.relay.giveBack(this.lease);
      void isFree.then(pump);
    };
    const work = carryOut();
    unfinished.add(work);
  }

  /** The message stays owed as before. */
  putBack(): void {
    this.active.feed.putBack(this.#message);
  }

  async #deliver(): Promise<void> {
    const { stop, conclusions } = this.parts;
    const { feed } = this.active;
    const message = this.#message;
    if (!wasJustChecked(message, this.#startedAt) && !(await this.#mayGo())) return;
    const composed = await this.#composed;
    if (stop.aborted) return this.putBack();
    if ("thrown" in composed) return this.#couldNotBeComposed(composed);
    if (!composed.ok) {
      // Its person may have been deleted since the check: then it is no fault of the letter.
      if (await this.#mayGo()) this.#couldNotBeComposed(composed);
      return;
    }
    this.#letStopCutIt();
    const ending = await this.#offer(composed.value).finally(() => this.#endOffer());
    // A later attempt keeps the Date of the first one.
    const dated = { ...message, firstAttemptAt: message.firstAttemptAt ?? this.#startedAt };
    conclusions.conclude(feed, this.lease, dated, ending);
  }

  /** Checks the row. False: it is skipped, is not owed any more, or waits; nothing else is to be done with it. */
  async #mayGo(): Promise<boolean> {
    const { ledger, recorder } = this.parts;
    const answer = await ledger.skipIfBarred(this.#message.number, this.#startedAt);
    this.#stopOthersIfHeld(answer);
    if (answer === "owed") return true;
    if (this.#isStillOwed(answer)) this.putBack();
    else recorder.finish(this.active.feed, this.#message);
    return false;
  }

  /**
   * From now on `stop` may cut the connection. If the previous dot is not answered yet, only after its answer,
   * which must not be cut off.
   */
  #letStopCutIt(): void {
    const { stop, beforeDot } = this.parts;
    const { session } = this.lease;
    const letItBeCut = (): void => void (stop.aborted ? session.destroy() : beforeDot.add(session));
    if (this.#behind === undefined) letItBeCut();
    else void this.#behind.then(letItBeCut);
  }

  #offer(finished: FinishedMessage): Promise<Ending> {
    const { clock, random } = this.parts;
    const { feed, letter } = this.active;
    const { lease } = this;
    return attempt({
      session: lease.session,
      reused: lease.reused || this.#behind !== undefined,
      kind: feed.mailing.kind,
      message: this.#message,
      envelopeSender: this.wayOut.returnTo?.(this.#message.number) ?? letter.envelopeSender,
      finished,
      startedAt: this.#startedAt,
      clock,
      random,
      waiting: {
        asked: () => lease.relay.asked(lease),
        ended: (isAnswer) => lease.relay.ended(lease, isAnswer),
      },
      claimDot: () => this.#claimDot(),
      dotSent: (answered) => this.#passOn(answered),
    });
  }

  /** The commit before the dot. From here on, `stop` does not cut the connection. */
  async #claimDot(): Promise<"dot" | "owed" | "over"> {
    const { ledger, recorder, beforeDot, approaching, serverRun } = this.parts;
    const { feed } = this.active;
    if (!beforeDot.delete(this.lease.session)) return "owed";
    approaching.delete(this);
    this.#lookForNext();
    const { number } = this.#message;
    const how = { isCounted: feed.isCounted(this.#message), isLast: approaching.size === 0 };
    const claimed = await ledger.claimDot(number, serverRun, this.#startedAt, feed.urgency, how);
    if (how.isCounted && claimed === "dot") feed.counted(this.#message);
    recorder.wrote();
    if (claimed === "dot") return claimed;
    this.#stopOthersIfHeld(claimed);
    return this.#isStillOwed(claimed) ? "owed" : "over";
  }

  #lookForNext(): void {
    if (this.#next === null && !this.#hasEnded) this.#next = this.#takeNext();
  }

  /** If the row may not go now, looks at all mailings anew. If its mailing is held, the other rows wait as well. */
  #stopOthersIfHeld(answer: Claim | "owed"): void {
    if (!isNotNow(answer)) return;
    const { mailings, pump } = this.parts;
    // Paused or stopped: the other rows must not be tried one by one.
    if (this.#isStillOwed(answer)) this.active.isHalted = true;
    void mailings.refresh().then(pump, () => undefined);
  }

  /**
   * The row may not go now, and stays owed. The mailing may go on before this connection has noticed, and then the row
   * goes out. Nobody waits for it if its caller is told of the hold.
   */
  #isStillOwed(answer: Claim | "owed"): boolean {
    return answer === "held" && this.active.feed.urgency !== "awaited";
  }

  /**
   * The next message for this connection. It is composed and signed in advance, and offered together with the dot
   * of this one. Null if it would not be this mailing's turn.
   */
  #takeNext(): Delivery | null {
    const { parts, active, wayOut, lease } = this;
    const next = active.feed.findNext();
    if (next === null || isUsedUp(active) || !this.#mayFollow(next)) return null;
    return new Delivery(parts, active, wayOut, lease);
  }

  /** Asked twice: before the next message is composed, and at the dot of this one, which may be a while later. */
  #mayFollow(next: OwedMessage): boolean {
    const { parts, active, wayOut, lease } = this;
    if (active.isHalted || parts.mailings.count > 1 || !parts.mayStart() || active.wayOut !== wayOut)
      return false;
    if (!lease.session.pipelines || !wayOut.relays.mayGoOn(lease)) return false;
    // Its connection was lost before, perhaps by this relay: the pump looks for another one.
    if (parts.conclusions.lostBy(next).length > 0) return false;
    return wasJustChecked(next, parts.clock.now());
  }

  /** The dot was sent, and the next message is offered right behind it. */
  #passOn(answered: Promise<unknown>): void {
    const next = this.#next;
    if (next === null || !this.#mayFollow(next.#message)) return;
    // A domain has been held back since then: the feed must check the message again.
    if (next.#isBesideLanes && !this.active.feed.lanes.isEmpty) return;
    this.#isPassedOn = true;
    next.start(answered);
  }

  /** The attempt has ended: a next message that was taken but not started goes back. */
  #endOffer(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#isPassedOn) return;
    this.parts.beforeDot.delete(this.lease.session);
    this.#next?.putBack();
  }

  #couldNotBeComposed(composed: Thrown | { readonly refusal: Refusal }): void {
    const { recorder, log, clock, random } = this.parts;
    const { feed } = this.active;
    const message = this.#message;
    const delivery = message.number;
    if ("refusal" in composed) {
      const detail = composed.refusal.message;
      log.error("a message cannot be composed", { delivery, problem: detail });
      const outcome = { state: "failed", reason: "CANNOT_BE_COMPOSED", reply: null, detail } as const;
      return recorder.record(feed, message, outcome, null);
    }
    const error = composed.thrown;
    log.error("a message could not be composed yet; it is tried again", { delivery, error });
    const again = { message, kind: feed.mailing.kind, clock, random, startedAt: this.#startedAt };
    // An author can correct a letter that takes too much. Other errors are ours, and the log has them.
    const detail = error instanceof RefusedForNow ? error.reason : undefined;
    recorder.record(feed, message, deferred("COMPOSING_FAILED", 0, null, again, detail), null);
  }

  /** Either its dot was not written, or its row is at `dot` and is never taken again. */
  #couldNotBeWritten(error: unknown): void {
    this.parts.log.error("sending pauses: the database cannot be written", { error });
    this.putBack();
    this.parts.recorder.pause();
  }
}
