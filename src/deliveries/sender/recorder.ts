import { isOfOne, StorageError } from "#core/errors/storage-error.ts";
import { sleep, type Clock, type Instant } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";
import type { Outcome, OwedMessage } from "#deliveries/ledger.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { Feed } from "./feed.ts";
import type { Mailings } from "./mailings.ts";

/** A write that failed (a full disk) is tried again after this time. */
const WRITE_RETRY_MS = 1_000;
/** Another program has locked this one message, or its person. Each try holds up others for some seconds. */
const LOCKED_RETRY_MS = 15_000;

export type RecorderParts = {
  readonly ledger: Pick<LedgerStore, "settle">;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailings: Mailings;
  /** Work that has not finished: `Sender.stop` waits for it. */
  readonly unfinished: Set<Promise<void>>;
  readonly stop: AbortSignal;
  /** Called when a row is free again, or writing works again: there may be something to start. */
  pump(): void;
};

/**
 * Records what happened to each message, and knows whether the database can be written at all.
 *
 *   writing --a write fails--> paused --1 s--> writing
 *
 * While it is paused, no message is started: without a commit there must be no dot. An outcome that could not
 * be written is kept and tried again every second; more seldom, and without a pause, if only its own row is locked. If the process ends first, the row is still at `dot`, and
 * the next start makes it `uncertain`.
 */
export class Recorder {
  #isPaused = false;
  #isFailing = false;

  constructor(private readonly parts: RecorderParts) {}

  /** True: no message may be started. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** True: nothing could be written since the last pause began. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Something was written. */
  wrote(): void {
    this.#isFailing = false;
  }

  /** No message is started for a moment; then writing is tried again. */
  pause(): void {
    if (this.#isPaused) return;
    [this.#isPaused, this.#isFailing] = [true, true];
    this.parts.clock.setTimer(WRITE_RETRY_MS, () => {
      this.#isPaused = false;
      this.parts.pump();
    });
  }

  /**
   * Records an outcome. The caller need not wait: a later dot of the same connection is never committed before it.
   * If the message stays owed, it goes behind the others; with `isTooFast`, it waits longer (`Feed.putAside`).
   */
  record(
    feed: Feed,
    message: OwedMessage,
    outcome: Outcome,
    strike: StrikeKind | null,
    isTooFast = false,
  ): void {
    const { mailings, unfinished, pump } = this.parts;
    const settled = this.#settle(feed.urgency, message, outcome, strike);
    // Called before the commit too, so that what the caller has to write shares the commit.
    mailings.settled(feed);
    const followUp = async (): Promise<void> => {
      await settled;
      if (outcome.state === "untouched") this.owedAgain(feed, message, isTooFast);
      else this.finish(feed, message);
      if (outcome.state === "queued") this.#retryAt(feed, outcome.nextAttemptAt);
      unfinished.delete(work);
      pump();
    };
    const work = followUp();
    unfinished.add(work);
  }

  /** The ledger has the message's outcome. */
  finish(feed: Feed, message: OwedMessage): void {
    feed.done(message);
    this.parts.mailings.settled(feed);
  }

  /** The message was not at fault. `isTooFast`: the relay refused it because we are too fast. */
  owedAgain(feed: Feed, message: OwedMessage, isTooFast: boolean): void {
    if (isTooFast) feed.putAside(message);
    else feed.putBack(message);
  }

  /** Tries until it succeeds or the server stops. */
  async #settle(
    urgency: Urgency,
    message: OwedMessage,
    outcome: Outcome,
    strike: StrikeKind | null,
  ): Promise<void> {
    const { ledger, clock, log, stop } = this.parts;
    for (;;) {
      try {
        await ledger.settle(message.number, outcome, clock.now(), strike, urgency);
        return this.wrote();
      } catch (error) {
        log.error("an outcome cannot be recorded yet", { delivery: message.number, error });
        if (stop.aborted) return;
        const isLocked = error instanceof StorageError && isOfOne(error);
        if (!isLocked) this.pause();
        await sleep(clock, isLocked ? LOCKED_RETRY_MS : WRITE_RETRY_MS);
      }
    }
  }

  /** The scheduler finds other retries later. For awaited mail, and for what is due at once, that is too late. */
  #retryAt(feed: Feed, at: Instant): void {
    const { clock, pump } = this.parts;
    if (feed.urgency !== "awaited" && at > clock.now()) return;
    clock.setTimer(Math.max(0, at - clock.now()), () => {
      feed.lookAgain();
      pump();
    });
  }
}
