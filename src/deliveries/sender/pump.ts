import type { Clock, Instant } from "#core/time/clock.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { Log } from "#log.ts";
import type { Lease, Relay } from "#mail/smtp/relay/relay.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import type { WayOut } from "#deliveries/way-out.ts";
import type { Mailings, ActiveMailing } from "./mailings.ts";

export type PumpParts = {
  readonly mailings: Mailings;
  readonly clock: Clock;
  readonly log: Log;
  /** False: the sender stops, or nothing can be written. */
  mayStart(): boolean;
  /** The relays that lost the message's connection. */
  lostBy(message: OwedMessage): readonly Relay[];
  /** Sends the mailing's next row through the connection. Call it only if there is a row. */
  start(active: ActiveMailing, wayOut: WayOut, lease: Lease): void;
};

/**
 * Of how many mailings rows are read in one turn of the event loop. Those of which nothing is read cost almost nothing:
 * they must not take turns from the one behind them, because they are passed again for each of its messages.
 */
const READ_AT_ONCE = 16;

/**
 * Relays that have no connection for a sender's bulk mail now. Whose message it is makes no difference there, unless one
 * of them lost it before.
 */
class NoRoom {
  readonly #senders = new Map<WayOut["relays"], Set<string>>();

  add({ relays, senderKey }: WayOut): void {
    const senders = this.#senders.get(relays) ?? new Set();
    this.#senders.set(relays, senders.add(senderKey));
  }

  has({ relays, senderKey }: WayOut): boolean {
    return this.#senders.get(relays)?.has(senderKey) === true;
  }
}

/** Whether a workspace that warms up has sent today's share. */
export const isUsedUp = ({ ramp }: Pick<ActiveMailing, "ramp">): boolean => ramp !== null && ramp.left <= 0;

/** Whether something of a mailing could be started, as far as that is known without its rows. */
function mayTry(active: ActiveMailing, noRoom: NoRoom): boolean {
  const { feed, letter, wayOut } = active;
  if (isUsedUp(active) || "blocked" in wayOut) return false;
  if (letter.isSlow === true && feed.inFlight > 0) return false;
  return feed.urgency !== "bulk" || !noRoom.has(wayOut);
}

/**
 * Starts messages while a mailing has a row that is due and its relay has a connection for it. Call `run` whenever
 * one of these may have changed. A call during a run makes it look once more at the end.
 *
 *   idle --run--> running --run--> running, and again --> running --> idle
 *
 * If a relay or a domain says when it takes mail again, the pump wakes itself then.
 */
export class Pump {
  #isRunning = false;
  #isToRunAgain = false;
  #alarm: { readonly at: Instant; cancel(): void } | null = null;

  constructor(private readonly parts: PumpParts) {}

  async run(): Promise<void> {
    if (this.#isRunning) {
      this.#isToRunAgain = true;
      return;
    }
    this.#isRunning = true;
    try {
      do {
        this.#isToRunAgain = false;
        while (this.parts.mayStart() && (await this.#startNext()));
      } while (this.#isToRunAgain);
    } catch (error) {
      // The ledger could not be read. The scheduler wakes the sender again soon.
      this.parts.log.error("the sender could not look for messages", { error });
    } finally {
      this.#isRunning = false;
    }
  }

  stop(): void {
    this.#alarm?.cancel();
  }

  /** Starts one message, if there is one and a connection for it. */
  async #startNext(): Promise<boolean> {
    const { mailings, mayStart } = this.parts;
    const noRoom = new NoRoom();
    let isReading = false;
    let read = 0;
    for (const active of mailings.inTurn()) {
      if (!mayTry(active, noRoom)) continue;
      const hasRead = await active.feed.makeReady((message) => this.#isLost(message));
      if (hasRead && ++read % READ_AT_ONCE === 0) await nextLoopTurn();
      if (!mayStart()) return false;
      const wayOut = this.#wayOutStill(active);
      if (wayOut === null) continue;
      const { opensAt } = active.feed;
      if (opensAt !== null) this.#wakeAt(opensAt);
      // Meanwhile a connection may have taken the last row as its next message.
      const next = active.feed.findNext();
      if (next === null) isReading ||= active.feed.findMore();
      else if (this.#startOneOf(active, next, wayOut, noRoom)) return true;
    }
    // The rest of a mailing may be a long run of rows whose domain gets nothing now. Others get a turn between its
    // parts.
    if (isReading) await nextLoopTurn();
    return isReading;
  }

  /**
   * How a mailing's mail leaves, or null if it may not any more. Others had their turn: it may have been paused, its
   * caller may have given up, the day's share may be used up, and its sender may be another.
   */
  #wayOutStill(active: ActiveMailing): WayOut | null {
    const { isHalted, feed, wayOut } = active;
    const isOver = this.parts.mailings.find(feed.mailing.number) !== active;
    return isHalted || isOver || isUsedUp(active) || "blocked" in wayOut ? null : wayOut;
  }

  /** Starts the next row, or one behind it. False: no relay has a connection for them. */
  #startOneOf(active: ActiveMailing, next: OwedMessage, wayOut: WayOut, noRoom: NoRoom): boolean {
    const { mailings, start, lostBy } = this.parts;
    const { feed } = active;
    // One whose connection was lost may wait for another relay. Those behind it need not.
    const behind = this.#isLost(next) ? feed.findBehind((message) => !this.#isLost(message)) : null;
    for (const message of behind === null ? [next] : [next, behind]) {
      const lease = wayOut.relays.lease(feed.urgency, wayOut.senderKey, lostBy(message));
      if ("session" in lease) {
        if (message === behind) feed.bringForward(message);
        mailings.served(active);
        start(active, wayOut, lease);
        return true;
      }
      if (lease.retryAt !== null) this.#wakeAt(lease.retryAt);
      if (feed.urgency === "bulk" && !this.#isLost(message)) noRoom.add(wayOut);
    }
    return false;
  }

  /** Whether a relay lost the message's connection. */
  #isLost(message: OwedMessage): boolean {
    return this.parts.lostBy(message).length > 0;
  }

  #wakeAt(at: Instant): void {
    const { clock } = this.parts;
    if (this.#alarm && this.#alarm.at <= at) return;
    this.#alarm?.cancel();
    const cancel = clock.setTimer(Math.max(0, at - clock.now()), () => {
      this.#alarm = null;
      void this.run();
    });
    this.#alarm = { at, cancel };
  }
}
