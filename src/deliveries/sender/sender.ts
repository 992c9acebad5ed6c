/**
 * The sender takes the owed messages of all mailings in progress, fairly by workspace, and keeps each relay as busy
 * as allowed. It never idles while something is due and a relay takes mail. The scheduler wakes it, and so does
 * everything that adds work.
 *
 *   Mailings      what is being sent, and whose turn it is
 *   Pump          starts messages while there are rows and connections
 *   Delivery      one message on its way through a connection
 *   Conclusions   what the end of an attempt means for its relay and its message
 *   Recorder      records outcomes, and pauses when nothing can be written
 */
import type { Instant } from "#core/time/clock.ts";
import { sleep } from "#core/time/clock.ts";
import type { Random } from "#core/random.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import type { Letter } from "#deliveries/letter.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import { blockOf } from "./block.ts";
import { Conclusions } from "./conclusion.ts";
import { Delivery } from "./delivery.ts";
import { collectInRounds, type Collector } from "#scheduler/garbage.ts";
import { Mailings, type MailingsParts, type ActiveMailing, type Watching } from "./mailings.ts";
import { isUsedUp, Pump } from "./pump.ts";
import { Recorder } from "./recorder.ts";

export type SenderParts = MailingsParts & {
  /** The number of this run of the server. */
  readonly serverRun: number;
  readonly random: Random;
  readonly collector: Collector;
};

export type Sender = {
  /** Looks for work: mailings that became due, retries whose time has come, settings that changed. */
  wake(): Promise<void>;

  /** When the next retry is due that `wake` has not seen yet. */
  nextDueAt(): Promise<Instant | null>;

  /**
   * Sends an awaited mailing at once. The letter is used until the returned function is called; after that,
   * nothing more is tried.
   */
  begin(mailing: MailingUnderWay, letter: Letter, watching: Watching): () => void;

  /** Whether messages are on their way. */
  readonly isSending: boolean;

  /** True while messages of the mailing are on their way, or could be started now. */
  isActive(mailing: number): boolean;

  /** Why a mailing in progress does not move; null when it does. */
  blockedBy(mailing: number): string | null;
  /** The same, without what passes by itself: quiet hours, and relays and domains that take mail slowly. */
  stoppedBy(mailing: number): string | null;

  /**
   * Lets no more dots out. Messages before their dot are cut off and stay owed. Those at their dot may finish
   * within `graceMs`; the next start makes the others `uncertain`.
   */
  stop(graceMs: number): Promise<void>;
};

/** Whether another of its messages may be started now, or soon. */
const mayGoOn = ({ isHalted, ramp, feed, wayOut }: ActiveMailing): boolean =>
  !isHalted &&
  !isUsedUp({ ramp }) &&
  !feed.isIdle &&
  !("blocked" in wayOut) &&
  !wayOut.relays.isHeldFor(wayOut.senderKey);

export function createSender(given: SenderParts): Sender {
  const { ledger, clock } = given;
  const end = new AbortController();
  const unfinished = new Set<Promise<void>>();
  const beforeDot = new Set<SmtpSession>();
  const runPump = (): void => void pump.run();
  const mayStart = (): boolean => !end.signal.aborted && !recorder.isPaused;

  const mailings = new Mailings(given, runPump);
  const shared = { ...given, mailings, unfinished, stop: end.signal, mayStart, pump: runPump };
  const recorder = new Recorder(shared);
  const conclusions = new Conclusions({ ...shared, recorder });
  const collectGarbage = collectInRounds(given.collector);
  const onTheWay = { beforeDot, approaching: new Set<Delivery>() };
  const delivering = { ...shared, ...onTheWay, recorder, conclusions, collectGarbage };
  const pump = new Pump({
    ...shared,
    lostBy: (message) => conclusions.lostBy(message),
    start: (active, wayOut, lease) => new Delivery(delivering, active, wayOut, lease).start(),
  });
  /**
   * When the sender last looked: rows that were due then are known. Whatever delays them, such as a held relay,
   * wakes the sender by itself.
   */
  let lookedAt: Instant = 0;

  const blockNow = (mailing: number) =>
    blockOf(mailings.find(mailing), mailings.unmade(mailing), recorder.isFailing);

  return {
    async wake() {
      if (end.signal.aborted) return;
      lookedAt = clock.now();
      await mailings.refresh();
      await pump.run();
    },

    nextDueAt: () => ledger.nextRetryAt(lookedAt),

    begin(mailing, letter, watching) {
      const waiting = mailings.beginAwaited(mailing, { letter, watching });
      void waiting.takenUp.then(runPump);
      return waiting.end;
    },

    get isSending() {
      return unfinished.size > 0;
    },

    isActive(mailing) {
      const active = mailings.find(mailing);
      if (!active) return mailings.isPreparing(mailing);
      if (active.feed.inFlight > 0) return true;
      return !recorder.isFailing && !end.signal.aborted && mayGoOn(active);
    },

    blockedBy: (mailing) => blockNow(mailing).why,
    stoppedBy(mailing) {
      const { why, passes } = blockNow(mailing);
      return passes ? null : why;
    },

    async stop(graceMs) {
      end.abort();
      pump.stop();
      for (const session of beforeDot) session.destroy();
      beforeDot.clear();
      // Work that ends may leave an outcome to record. That must finish too.
      const ended = Promise.allSettled(unfinished).then(() => Promise.allSettled(unfinished));
      await Promise.race([ended, sleep(clock, graceMs)]);
    },
  };
}
