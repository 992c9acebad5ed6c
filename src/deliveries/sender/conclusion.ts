import type { Clock } from "#core/clock.ts";
import type { Lease, Relay } from "#mail/smtp/relay.ts";
import type { Outcome, OwedMessage } from "#deliveries/ledger.ts";
import type { Ending } from "./attempt.ts";
import type { Feed } from "./feed.ts";
import type { Recorder } from "./recorder.ts";
import { RefusalCount } from "./refusal-count.ts";

export type ConclusionParts = {
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly stop: AbortSignal;
};

type Untouched = Extract<Ending, { kind: "untouched" }>;

/**
 * What follows from the end of an attempt. The relay is trusted more, or slowed down. The message has an
 * outcome, which is recorded, or is owed as before.
 */
export class Conclusions {
  readonly #refusals = new WeakMap<Relay, RefusalCount>();

  constructor(private readonly parts: ConclusionParts) {}

  conclude(feed: Feed, lease: Lease, message: OwedMessage, ending: Ending): void {
    const { recorder, stop } = this.parts;
    if (ending.kind === "untouched") return this.#concludeUntouched(feed, lease, message, ending);
    if (ending.kind === "barred")
      return stop.aborted ? feed.putBack(message) : recorder.finish(feed, message);
    const { outcome, atDot } = ending;
    if (outcome.state === "sent") {
      lease.relay.accepted(lease);
      this.#refusalsOf(lease).accepted();
    }
    if ("reason" in outcome && outcome.reason === "CONNECTION_LOST") {
      // We cut it ourselves in `stop`: the relay is not at fault, and it does not count as an attempt.
      if (stop.aborted && !atDot) return feed.putBack(message);
      lease.relay.lost(lease, outcome.state === "uncertain");
    }
    this.#refusalsOf(lease).forget(message.number);
    recorder.record(feed, message, outcome, ending.strike);
  }

  #concludeUntouched(feed: Feed, lease: Lease, message: OwedMessage, ending: Untouched): void {
    const { recorder } = this.parts;
    const { trouble, refused, atDot } = ending;
    const own = this.#ownFault(lease, message, ending);
    if (own) return recorder.record(feed, message, own, null);
    if (trouble) lease.relay.inTrouble(lease, trouble);
    const isTooMuch = refused !== null && trouble?.kind === "rate" && lease.urgency !== "awaited";
    if (!atDot) return recorder.owedAgain(feed, message, isTooMuch);
    recorder.record(feed, message, { state: "untouched", reply: refused?.reply ?? null }, null, isTooMuch);
  }

  /**
   * Some replies read like a fault of ours although only this message is refused. Then its outcome; null
   * where the relay really refuses us.
   */
  #ownFault(lease: Lease, { number }: OwedMessage, { trouble, refused }: Untouched): Outcome | null {
    if (refused === null || (trouble?.kind !== "config" && trouble?.kind !== "block")) return null;
    const { urgency } = lease;
    const refusals = this.#refusalsOf(lease);
    const refusal = { message: number, isSenderTaken: refused.stage !== "MAIL", urgency };
    const verdict = refusals.judge(refusal, this.parts.clock.now());
    if (verdict === "relay") return null;
    if (verdict === "put off" && refused.putOff.state !== "failed") return refused.putOff;
    refusals.forget(number);
    return { state: "failed", reason: "REFUSED_BY_RELAY", reply: refused.reply };
  }

  #refusalsOf({ relay }: Lease): RefusalCount {
    const known = this.#refusals.get(relay) ?? new RefusalCount();
    this.#refusals.set(relay, known);
    return known;
  }
}
