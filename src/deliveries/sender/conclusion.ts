import { putLast } from "#core/remembered.ts";
import type { Clock } from "#core/time/clock.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import type { Lease, Relay } from "#mail/smtp/relay/relay.ts";
import { judgeComplaint, noSigns, onOffered, type Signs } from "#deliveries/domains/whose-complaint.ts";
import type { Outcome, OwedMessage } from "#deliveries/ledger.ts";
import type { Ending, Untouched } from "./ending.ts";
import type { Feed } from "./feed.ts";
import { Losses } from "./losses.ts";
import type { Recorder } from "./recorder.ts";
import { RefusalCount } from "./refusal-count.ts";
import { TooFastCount } from "./too-fast-count.ts";

export type ConclusionParts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly recorder: Recorder;
  readonly stop: AbortSignal;
};

/** Reasons for a deferral that a server also gives when it gets more mail than it can take. */
const MAY_BE_SPEED: ReadonlySet<string> = new Set(["TEMPORARY", "SYSTEM_FULL"]);

/** A request that has been tried this often is not tried again at once. */
const AT_ONCE_MAX = 4;

/** Requests may name many senders. For one that was forgotten, the count begins anew, and no message fails too early. */
const SENDERS_KEPT = 1_000;

/** What one relay does with the mail of one sender. */
type Counts = { readonly refusals: RefusalCount; readonly tooFast: TooFastCount };

/**
 * What follows from the end of an attempt. The relay or the recipient's domain is trusted more, or slowed down. The
 * message gets an outcome, which is recorded, or stays owed as before.
 */
export class Conclusions {
  /** By sender. What the relay does with the mail of one sender proves nothing about another's. */
  readonly #counts = new WeakMap<Relay, Map<string, Counts>>();
  readonly #signs = new WeakMap<Relay, Signs>();
  readonly #losses = new Losses<Relay>();

  constructor(private readonly parts: ConclusionParts) {}

  /** The message is on its way to the relay. */
  started({ relay }: Lease, { address }: OwedMessage): void {
    const signs = this.#signs.get(relay) ?? noSigns;
    this.#signs.set(relay, onOffered(signs, domainOf(address), this.parts.clock.now()));
  }

  /** The relays that lost the message's connection, the last one last. */
  lostBy(message: OwedMessage): readonly Relay[] {
    return this.#losses.of(message);
  }

  conclude(feed: Feed, lease: Lease, message: OwedMessage, given: Ending): void {
    const { recorder, stop } = this.parts;
    const ending = this.#believed(lease, given);
    if (ending.kind === "untouched") return this.#concludeUntouched(feed, lease, message, ending);
    if (ending.kind === "barred") return recorder.finish(feed, message);
    const { outcome, atDot } = ending;
    if (outcome.state === "sent") {
      lease.relay.accepted(lease);
      const { refusals, tooFast } = this.#countsOf(lease);
      refusals.accepted();
      tooFast.accepted(domainOf(message.address), this.parts.clock.monotonicMs());
      this.#accepted(feed, message);
    }
    // At MAIL the relay did not know the domain yet.
    const isByDomain = ending.doubt?.about !== "put off";
    if (outcome.state === "queued" && isByDomain && MAY_BE_SPEED.has(outcome.reason))
      this.#putOff(feed, lease, message, outcome);
    if ("reason" in outcome && outcome.reason === "CONNECTION_LOST") {
      // We cut it ourselves in `stop`: the relay is not at fault, and it does not count as an attempt.
      if (stop.aborted && !atDot) return feed.putBack(message);
      const isOurLimit = ending.isOurLimit === true;
      const detail = ending.lost ?? "";
      lease.relay.lost(lease, { isAtDot: outcome.state === "uncertain", isOurLimit, detail });
    }
    this.#forget(lease, message);
    recorder.record(feed, message, this.#soonElsewhere(lease, message, outcome), ending.strike);
  }

  /**
   * A message that lost its connection goes to another relay, if there is one; a campaign's if it lost it twice, because
   * the relay may have lost others with it. If somebody waits, it is tried again at once. For a request that is done a
   * few times, and for a moment other requests pass by the relay too; for a confirmation once. Then the message has its
   * own pauses: one that every relay loses must not be tried at the pace of others' mail, nor slow it down.
   */
  #soonElsewhere(lease: Lease, message: OwedMessage, outcome: Outcome): Outcome {
    if (outcome.state !== "queued") this.#losses.forget(message);
    if (outcome.state !== "queued" || outcome.reason !== "CONNECTION_LOST") return outcome;
    const { urgency, relay } = lease;
    const mayBeChance = urgency === "bulk" && message.attempts === 0;
    if (mayBeChance || relay.isAlone) return outcome;
    const isFirstLoss = this.#losses.of(message).length === 0;
    this.#losses.add(message, relay);
    if (urgency === "bulk") return outcome;
    const isAtOnce = urgency === "awaited" ? message.attempts < AT_ONCE_MAX : isFirstLoss;
    if (!isAtOnce) return outcome;
    if (urgency === "awaited") relay.passOver();
    return { ...outcome, nextAttemptAt: this.parts.clock.now() };
  }

  /**
   * The outcome of a request's message that the relay refused, though it may be no fault of the message. Its caller is told
   * what the relay said, so that is kept with it. If there is another relay, that one is asked at once. Null: it is owed as
   * before, because nobody waits for it, or because it only waits for its turn at a relay that takes fewer at once.
   */
  #forCaller({ relay, urgency }: Lease, message: OwedMessage, ending: Untouched, isOfDomain: boolean) {
    const { refused, trouble } = ending;
    if (urgency !== "awaited" || refused === null) return null;
    const { putOff } = refused;
    if (isOfDomain) return putOff;
    if (trouble?.kind === "rate") return null;
    const isAtOnce = putOff.state === "queued" && !relay.isAlone && message.attempts < AT_ONCE_MAX;
    return isAtOnce ? { ...putOff, nextAttemptAt: this.parts.clock.now() } : putOff;
  }

  /** Replaces the ending if the relay turns out to refuse everybody. */
  #believed(lease: Lease, ending: Ending): Ending {
    if (ending.kind !== "settled" || ending.doubt === undefined) return ending;
    // A request has pauses of its own, and its answer says what the relay said. Only another relay could do better.
    if (lease.urgency === "awaited" && lease.relay.isAlone) return ending;
    const { about, ending: other } = ending.doubt;
    const others = lease.relay.underWay - 1;
    return this.#countsOf(lease).refusals.takesNobody(about, lease.urgency, others) ? other : ending;
  }

  #concludeUntouched(feed: Feed, lease: Lease, message: OwedMessage, ending: Untouched): void {
    const { recorder } = this.parts;
    const { trouble, refused } = ending;
    const own = this.#ownFault(lease, message, ending);
    if (own) return recorder.record(feed, message, own, null);
    const isOfDomain = refused?.isAboutDomain === true && this.#judge(feed, lease, message) === "domain";
    const isForGood = this.#isTooFastForGood(lease, message, ending, isOfDomain);
    // Once messages fail by this, the domain gets no further hold: each of many recipients would wait for one more.
    if (isOfDomain && !isForGood) this.#complained(feed, message, trouble?.detail ?? "");
    else if (!isOfDomain && trouble) lease.relay.inTrouble(lease, trouble);
    if (ending.isOurLimit === true && lease.urgency === "awaited") lease.relay.passOver();
    // It is tried again soon, so the relay is not stopped for it.
    const putOff = this.#forCaller(lease, message, ending, isOfDomain);
    if (putOff !== null) return recorder.record(feed, message, putOff, null);
    if (!isForGood) return this.#oweAgain(feed, lease, message, ending);
    this.#forget(lease, message);
    const reply = refused?.reply ?? null;
    recorder.record(feed, message, { state: "failed", reason: "RATE_LIMITED", reply }, null);
  }

  /** A message that the relay refused because we are too fast waits longer than the others. */
  #oweAgain(feed: Feed, { urgency }: Lease, message: OwedMessage, ending: Untouched): void {
    const { recorder } = this.parts;
    const { trouble, refused, atDot } = ending;
    const isTooFast = refused !== null && trouble?.kind === "rate" && urgency !== "awaited";
    if (!atDot) return recorder.owedAgain(feed, message, isTooFast);
    recorder.record(feed, message, { state: "untouched", reply: refused?.reply ?? null }, null, isTooFast);
  }

  /**
   * Some replies read like a fault of ours although only this message is refused. Returns the message's outcome
   * then; null if the relay really refuses us.
   */
  #ownFault(lease: Lease, { number }: OwedMessage, { trouble, refused }: Untouched): Outcome | null {
    if (refused === null || (trouble?.kind !== "config" && trouble?.kind !== "block")) return null;
    const { urgency } = lease;
    const { refusals } = this.#countsOf(lease);
    const refusal = { message: number, isSenderTaken: refused.stage !== "MAIL", urgency };
    const verdict = refusals.judge(refusal, this.parts.clock.monotonicMs());
    if (verdict === "relay") return null;
    if (verdict === "put off" && refused.putOff.state !== "failed") return refused.putOff;
    refusals.forget(number);
    return { state: "failed", reason: "REFUSED_BY_RELAY", reply: refused.reply };
  }

  /** Who complains about our speed; the sign is kept. A domain that is slowed already says nothing new. */
  #judge({ lanes }: Feed, { relay }: Lease, { address }: OwedMessage): "domain" | "relay" {
    const domain = domainOf(address);
    if (lanes.of(domain)?.slowing) return "domain";
    const signs = this.#signs.get(relay) ?? noSigns;
    const judged = judgeComplaint(signs, domain, this.parts.clock.now());
    this.#signs.set(relay, judged.signs);
    return judged.of;
  }

  #complained({ lanes, inFlight }: Feed, { address }: OwedMessage, detail: string): void {
    const { clock, random, log } = this.parts;
    const domain = domainOf(address);
    const isNew = lanes.complained(domain, {
      now: clock.now(),
      connections: inFlight,
      jitter: random.fraction(),
    });
    if (isNew) log.warn("domain slowing us down", { domain, detail });
  }

  #accepted({ lanes }: Feed, { address }: OwedMessage): void {
    const { clock, log } = this.parts;
    const domain = domainOf(address);
    if (lanes.countAccepted(domain, clock.now())) log.info("domain takes mail as before", { domain });
  }

  /**
   * A domain that puts off several messages in a row gets less mail. If others do so too, the messages' own pauses
   * are enough.
   */
  #putOff(feed: Feed, lease: Lease, message: OwedMessage, { reason }: { readonly reason: string }): void {
    if (!feed.lanes.countRefusal(domainOf(message.address))) return;
    if (this.#judge(feed, lease, message) === "domain") this.#complained(feed, message, reason);
  }

  /** The recipient or its domain answered for so long that we are too fast that the message has failed. */
  #isTooFastForGood(
    lease: Lease,
    { number, address }: OwedMessage,
    { trouble, refused }: Untouched,
    isOfDomain: boolean,
  ): boolean {
    if (trouble === null || lease.urgency === "awaited") return false;
    const { tooFast } = this.#countsOf(lease);
    const nowMs = this.parts.clock.monotonicMs();
    if (refused?.isAboutDomain === true) return tooFast.refused(number, domainOf(address), isOfDomain, nowMs);
    tooFast.down(nowMs);
    return false;
  }

  #forget(lease: Lease, { number }: OwedMessage): void {
    const { refusals, tooFast } = this.#countsOf(lease);
    refusals.forget(number);
    tooFast.forget(number);
  }

  #countsOf({ relay, sender }: Lease): Counts {
    const senders = this.#counts.get(relay) ?? new Map<string, Counts>();
    this.#counts.set(relay, senders);
    const known = senders.get(sender) ?? { refusals: new RefusalCount(), tooFast: new TooFastCount() };
    putLast(senders, sender, known, SENDERS_KEPT);
    return known;
  }
}
