/**
 * The sender: takes owed messages of every mailing under way, fairly by workspace, and keeps each relay as busy as it may
 * be. It never idles while something is due and a relay takes mail; it is woken by the scheduler and by whoever adds work.
 */
import type { Instant } from "#core/clock.ts";
import { sleep } from "#core/clock.ts";
import type { Random } from "#core/random.ts";
import type { SignMessage } from "#mail/dkim/dkim.ts";
import type { Lease, Relay } from "#mail/smtp/relay.ts";
import type { SmtpSession } from "#mail/smtp/smtp-session.ts";
import { attempt, deferred, type Ending } from "./attempt.ts";
import type { Feed } from "./feed.ts";
import { collectInRounds, type Collector } from "./garbage.ts";
import type { Outcome, OwedMessage } from "#deliveries/ledger.ts";
import { RefusalCount } from "./refusal-count.ts";
import {
  laneOf,
  Mailings,
  type Composed,
  type Letter,
  type MailingsParts,
  type Watching,
  type WayOut,
  type Work,
} from "./mailings.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";

export type SenderParts = MailingsParts & {
  readonly run: number;
  readonly random: Random;
  readonly collector: Collector;
};

/** What cannot be written is tried again this often (disk full). */
const WRITE_RETRY_MS = 1_000;

/**
 * A row that was read longer ago is looked at again before a connection is spent on it. Whatever this says, the row is looked
 * at once more in the transaction that lets its dot go.
 */
const CHECK_HOLDS_MS = 1_000;

const wasJustChecked = ({ checkedAt }: OwedMessage, now: Instant): boolean =>
  checkedAt !== null && now - checkedAt < CHECK_HOLDS_MS;

/** A message on its way through a connection, since `startedAt`; `behind`: the dot before it, which is still to be answered. */
type Passenger = {
  readonly message: OwedMessage;
  readonly startedAt: Instant;
  readonly composed: Promise<Composed | Thrown>;
  readonly behind?: Promise<unknown>;
};

/** A composer that threw (its links cannot be written just now, for one) has said nothing about the letter itself. */
type Thrown = { readonly thrown: unknown };

type Untouched = Extract<Ending, { kind: "untouched" }>;

/** One message that makes the composer throw must not stop the others. */
async function composeSafely(
  letter: Letter,
  message: OwedMessage,
  date: Instant,
  sign: SignMessage | null,
): Promise<Composed | Thrown> {
  try {
    const composed = await letter.compose(message, date);
    if (sign === null || "problem" in composed) return composed;
    const bytes = await sign(composed.bytes);
    composed.done?.();
    return { bytes };
  } catch (error) {
    return { thrown: error };
  }
}

export type Sender = ReturnType<typeof createSender>;

export function createSender(parts: SenderParts) {
  const { ledger, clock, log } = parts;
  const mailings = new Mailings(parts, () => void pump());
  const underWay = new Set<Promise<void>>();
  const refusals = new WeakMap<Relay, RefusalCount>();
  const collectGarbage = collectInRounds(parts.collector);
  /** Connections that have not got a message to its dot: what `stop` may cut. */
  const beforeDot = new Set<SmtpSession>();
  let stopping = false;
  let pausedForWrites = false;
  /** Since the last pause began nothing could be written. */
  let writesFail = false;
  let pumping = false;
  let pumpAgain = false;
  /** Rows that were due then are known: what keeps them back (a relay that is held) wakes the sender by itself. */
  let lookedAt: Instant = 0;

  /** Starts one message if there is one and a connection for it. */
  const startNext = async (): Promise<boolean> => {
    for (const work of mailings.inTurn()) {
      const { wayOut } = work;
      if (work.letter.isSlow === true && work.feed.inFlight > 0) continue;
      if ("blocked" in wayOut || !(await work.feed.isReady())) continue;
      // A connection that goes on may have taken the last one meanwhile.
      if (work.feed.next === null) continue;
      const lease = wayOut.relays.lease(laneOf(work.feed.mailing.kind), mailings.isAwaited(work.feed));
      if ("session" in lease) {
        mailings.served(work);
        send(work, wayOut, lease, board(work, wayOut));
        return true;
      }
      if (lease.retryAt !== null) wakeAt(lease.retryAt);
    }
    return false;
  };

  const mayStart = (): boolean => !stopping && !pausedForWrites;

  const pump = async (): Promise<void> => {
    if (pumping) {
      pumpAgain = true;
      return;
    }
    pumping = true;
    try {
      do {
        pumpAgain = false;
        while (mayStart() && (await startNext()));
      } while (pumpAgain);
    } catch (error) {
      // The ledger could not be read. The scheduler wakes the sender again soon.
      log.error("the sender could not look for messages", { error });
    } finally {
      pumping = false;
    }
  };

  /** Sees one message through, and gives its connection back unless the next message has it. */
  const send = (work: Work, wayOut: WayOut, lease: Lease, passenger: Passenger): void => {
    mailings.started(work.feed, passenger.message);
    const seeThrough = async (): Promise<void> => {
      let isPassedOn = false;
      try {
        isPassedOn = await deliver(work, wayOut, lease, passenger);
      } catch (error) {
        log.error("sending pauses: the database cannot be written", { error });
        work.feed.putBack(passenger.message);
        pauseForWrites();
      }
      await passenger.behind;
      underWay.delete(run);
      const isFree = isPassedOn ? Promise.resolve() : lease.relay.giveBack(lease);
      void isFree.then(pump);
    };
    const run = seeThrough();
    underWay.add(run);
  };

  /** Takes the next row of a mailing, which there is, and begins to compose and sign it. */
  const board = ({ feed, letter }: Work, { sign }: WayOut): Passenger => {
    collectGarbage();
    const startedAt = clock.now();
    const message = feed.take();
    const date = message.firstAttemptAt ?? startedAt;
    return { message, startedAt, composed: composeSafely(letter, message, date, sign) };
  };

  /**
   * The next message for a connection that stands at its dot: composed, and signed, while the dot waits for its commit, and
   * offered together with it. Only where it would be this mailing's turn anyway.
   */
  const takeAlong = (work: Work, wayOut: WayOut, lease: Lease): Passenger | null => {
    const { next } = work.feed;
    if (next === null || mailings.count > 1 || !mayStart() || work.wayOut !== wayOut) return null;
    if (!lease.session.pipelines || !wayOut.relays.mayGoOn(lease)) return null;
    if (!wasJustChecked(next, clock.now())) return null;
    return board(work, wayOut);
  };

  /** True: the connection goes on with another message. */
  const deliver = async (
    work: Work,
    wayOut: WayOut,
    lease: Lease,
    { message, startedAt, composed: composing, behind }: Passenger,
  ): Promise<boolean> => {
    const { feed, letter } = work;
    if (!wasJustChecked(message, startedAt)) {
      if ((await ledger.skipIfBarred(message.number, startedAt)) !== "owed") return finish(feed, message);
    }
    const composed = await composing;
    if (stopping) return putBack(feed, message);
    if ("thrown" in composed) {
      log.error("a message could not be composed yet; it is tried again", {
        delivery: message.number,
        error: composed.thrown,
      });
      const { kind } = feed.mailing;
      const again = { message, kind, clock, random: parts.random, startedAt };
      record(feed, message, deferred("COMPOSING_FAILED", 0, null, again), null);
      return false;
    }
    if ("problem" in composed) {
      log.error("a message cannot be composed", { delivery: message.number, problem: composed.problem });
      record(feed, message, { state: "failed", reason: "CANNOT_BE_COMPOSED", reply: null }, null);
      return false;
    }
    const { session } = lease;
    // A dot before it that is not answered yet must not be cut off with it.
    const mayBeCut = (): void => void (stopping ? session.destroy() : beforeDot.add(session));
    if (behind === undefined) mayBeCut();
    else void behind.then(mayBeCut);
    let next: Passenger | null = null;
    let isPassedOn = false;
    const ending = await attempt({
      session,
      reused: lease.reused || behind !== undefined,
      kind: feed.mailing.kind,
      message,
      envelopeSender: letter.envelopeSender,
      bytes: composed.bytes,
      startedAt,
      clock,
      random: parts.random,
      claimDot: async () => {
        if (!beforeDot.delete(session)) return false;
        next = takeAlong(work, wayOut, lease);
        const claimed = await ledger.claimDot(message.number, parts.run, startedAt, mailings.isAwaited(feed));
        writesFail = false;
        return claimed === "dot";
      },
      dotSent(answered) {
        if (next === null) return;
        isPassedOn = true;
        send(work, wayOut, lease, { ...next, behind: answered });
      },
    }).finally(() => {
      if (isPassedOn) return;
      beforeDot.delete(session);
      if (next !== null) feed.putBack(next.message);
    });
    // The relay has read to the end: whatever else ended it, something may still be on its way to the socket.
    if (ending.kind === "settled" && ending.outcome.state === "sent") composed.done?.();
    // The Date of a message that got as far as its dot stays what it was there.
    const dated = { ...message, firstAttemptAt: message.firstAttemptAt ?? startedAt };
    conclude(feed, lease, dated, ending);
    return isPassedOn;
  };

  const finish = (feed: Feed, message: OwedMessage): false => {
    feed.done(message);
    mailings.settled(feed);
    return false;
  };

  const putBack = (feed: Feed, message: OwedMessage): false => {
    feed.putBack(message);
    return false;
  };

  /** The scheduler looks at due retries in its own time; for mail somebody waits for that is too late. */
  const retryAt = (feed: Feed, at: Instant): void => {
    if (!mailings.isAwaited(feed)) return;
    clock.setTimer(Math.max(0, at - clock.now()), () => {
      feed.lookAgain();
      void pump();
    });
  };

  const refusalsOf = ({ relay }: Lease): RefusalCount => {
    const known = refusals.get(relay) ?? new RefusalCount();
    refusals.set(relay, known);
    return known;
  };

  const conclude = (feed: Feed, lease: Lease, message: OwedMessage, ending: Ending): void => {
    if (ending.kind === "barred") return void (stopping ? putBack(feed, message) : finish(feed, message));
    if (ending.kind === "untouched") return concludeUntouched(feed, lease, message, ending);
    const { outcome, atDot } = ending;
    if (outcome.state === "sent") {
      lease.relay.accepted(lease);
      refusalsOf(lease).accepted();
    }
    if ("reason" in outcome && outcome.reason === "CONNECTION_LOST") {
      // Cut by `stop`: not the relay's doing, and no attempt.
      if (stopping && !atDot) return feed.putBack(message);
      lease.relay.lost(lease, outcome.state === "uncertain");
    }
    refusalsOf(lease).forget(message.number);
    record(feed, message, outcome, ending.strike);
  };

  const concludeUntouched = (feed: Feed, lease: Lease, message: OwedMessage, ending: Untouched): void => {
    const { trouble, refused, atDot } = ending;
    const own = refused && ownFault(lease, message, ending);
    if (own) return record(feed, message, own, null);
    if (trouble) lease.relay.inTrouble(lease, trouble);
    const isTooMuch = refused !== null && trouble?.kind === "rate" && !lease.isAwaited;
    const owedAgain = (): void => (isTooMuch ? feed.putAside(message) : feed.putBack(message));
    if (!atDot) return owedAgain();
    record(feed, message, { state: "untouched", reply: refused?.reply ?? null }, null, owedAgain);
  };

  /** What becomes of a message that is refused for itself, though the reply reads like a fault of ours; null: of none. */
  const ownFault = (
    lease: Lease,
    { number }: OwedMessage,
    { trouble, refused }: Untouched,
  ): Outcome | null => {
    if (refused === null || (trouble?.kind !== "config" && trouble?.kind !== "block")) return null;
    const { isAwaited } = lease;
    const refusal = { message: number, isSenderTaken: refused.stage !== "MAIL", isAwaited };
    const verdict = refusalsOf(lease).judge(refusal, clock.now());
    if (verdict === "relay") return null;
    if (verdict === "put off" && refused.putOff.state !== "failed") return refused.putOff;
    refusalsOf(lease).forget(number);
    return { state: "failed", reason: "REFUSED_BY_RELAY", reply: refused.reply };
  };

  /** Recorded without anyone waiting: a later dot of this connection is committed after it, never before. */
  const record = (
    feed: Feed,
    message: OwedMessage,
    outcome: Outcome,
    strike: StrikeKind | null,
    owedAgain = (): void => feed.putBack(message),
  ): void => {
    const settled = settle(message, outcome, strike, mailings.isAwaited(feed));
    // Once before the commit, so that what whoever waits has to write shares it.
    mailings.settled(feed);
    const followUp = async (): Promise<void> => {
      await settled;
      if (outcome.state === "untouched") owedAgain();
      else finish(feed, message);
      if (outcome.state === "queued") retryAt(feed, outcome.nextAttemptAt);
      underWay.delete(run);
      void pump();
    };
    const run = followUp();
    underWay.add(run);
  };

  /** An outcome that cannot be written is kept and tried again for as long as the process lives. */
  const settle = async (
    message: OwedMessage,
    outcome: Outcome,
    strike: StrikeKind | null,
    isAwaited: boolean,
  ): Promise<void> => {
    for (;;) {
      try {
        await ledger.settle(message.number, outcome, clock.now(), strike, isAwaited);
        writesFail = false;
        return;
      } catch (error) {
        log.error("an outcome cannot be recorded yet", { delivery: message.number, error });
        if (stopping) return;
        pauseForWrites();
        await sleep(clock, WRITE_RETRY_MS);
      }
    }
  };

  /** No commit, no dot: everything stops for a moment, and goes on by itself once writing works. */
  const pauseForWrites = (): void => {
    if (pausedForWrites) return;
    [pausedForWrites, writesFail] = [true, true];
    clock.setTimer(WRITE_RETRY_MS, () => {
      pausedForWrites = false;
      void pump();
    });
  };

  let alarm: { at: Instant; cancel: () => void } | null = null;
  const wakeAt = (at: Instant): void => {
    if (alarm && alarm.at <= at) return;
    alarm?.cancel();
    const cancel = clock.setTimer(Math.max(0, at - clock.now()), () => {
      alarm = null;
      void pump();
    });
    alarm = { at, cancel };
  };

  return {
    /** Looks for work: mailings that became due, retries whose time has come, settings that changed. */
    async wake(): Promise<void> {
      if (stopping) return;
      lookedAt = clock.now();
      await mailings.refresh();
      await pump();
    },

    /** When the next retry is due that `wake` has not seen yet. */
    nextDueAt: (): Promise<Instant | null> => ledger.nextRetryAt(lookedAt),

    /**
     * Sends a mailing at once, for somebody who waits and watches. The letter is needed until the returned function is called;
     * from then on nothing more is tried.
     */
    begin(mailing: MailingUnderWay, letter: Letter, watching: Watching): () => void {
      const { takenUp, end } = mailings.waitFor(mailing, { letter, watching });
      void takenUp.then(pump);
      return end;
    },

    /** True while messages of the mailing are on their way, or could be started now. */
    isActive(mailing: number): boolean {
      const work = mailings.find(mailing);
      if (!work) return mailings.isPreparing(mailing);
      if (work.feed.inFlight > 0) return true;
      return (
        !work.feed.isIdle &&
        !("blocked" in work.wayOut) &&
        !work.wayOut.relays.held &&
        !writesFail &&
        !stopping
      );
    },

    /** Why a mailing that is under way does not move; null when it does. */
    blockedBy(mailing: number): string | null {
      const work = mailings.find(mailing);
      if (!work) return null;
      if ("blocked" in work.wayOut) return work.wayOut.blocked;
      if (writesFail) return "The database cannot be written.";
      return work.wayOut.relays.stoppedBy;
    },

    /**
     * No new dots: messages before theirs are cut off and stay owed; those behind it may finish for `graceMs`. Rows left at
     * their dot are `uncertain` at the next start.
     */
    async stop(graceMs: number): Promise<void> {
      stopping = true;
      alarm?.cancel();
      for (const session of beforeDot) session.destroy();
      beforeDot.clear();
      // Whatever ends leaves an outcome to be recorded, which is under way too.
      const ended = Promise.allSettled(underWay).then(() => Promise.allSettled(underWay));
      await Promise.race([ended, sleep(clock, graceMs)]);
    },
  };
}
