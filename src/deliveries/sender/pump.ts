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
    const { mailings, start, lostBy, mayStart } = this.parts;
    const isLost = (message: OwedMessage): boolean => lostBy(message).length > 0;
    const noRoom = new NoRoom();
    let isReading = false;
    let read = 0;
    for (const active of mailings.inTurn()) {
      const { feed } = active;
      if (isUsedUp(active)) continue;
      if (active.letter.isSlow === true && feed.inFlight > 0) continue;
      if ("blocked" in active.wayOut || (feed.urgency === "bulk" && noRoom.has(active.wayOut))) continue;
      if ((await feed.makeReady(isLost)) && ++read % READ_AT_ONCE === 0) await nextLoopTurn();
      if (!mayStart()) return false;
      // Others had their turn: it may have been paused, its caller may have given up, the day's share may be
      // used up, and its sender may be another.
      if (active.isHalted || isUsedUp(active) || mailings.find(feed.mailing.number) !== active) continue;
      const { wayOut } = active;
      if ("blocked" in wayOut) continue;
      const { opensAt } = feed;
      if (opensAt !== null) this.#wakeAt(opensAt);
      // Meanwhile a connection may have taken the last row as its next message.
      const next = feed.findNext();
      if (next === null) {
        isReading ||= feed.findMore();
        continue;
      }
      // One that was lost may wait for another relay. Those behind it need not.
      const behind = isLost(next) ? feed.findBehind((message) => !isLost(message)) : null;
      for (const message of behind === null ? [next] : [next, behind]) {
        const lease = wayOut.relays.lease(feed.urgency, wayOut.senderKey, lostBy(message));
        if ("session" in lease) {
          if (message === behind) feed.bringForward(message);
          mailings.served(active);
          start(active, wayOut, lease);
          return true;
        }
        if (lease.retryAt !== null) this.#wakeAt(lease.retryAt);
        if (feed.urgency === "bulk" && !isLost(message)) noRoom.add(wayOut);
      }
    }
    // The rest of a mailing may be a long run of rows whose domain gets nothing now. Others get a turn between its
    // parts.
    if (isReading) await nextLoopTurn();
    return isReading;
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
