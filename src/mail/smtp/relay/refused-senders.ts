import { putLast } from "#core/remembered.ts";
import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { allowed, initialThrottle, onTrouble, type RelayTrouble, type Throttle } from "./throttle.ts";

/** Whoever was accepted within this time shows that the relay works. */
const LATELY_MS = MINUTE_MS;
/** With two, there is one other than the sender in question. */
const ACCEPTED_KEPT = 2;
/** Requests may name many senders. One that was forgotten is tried again. */
const REFUSED_KEPT = 1_000;

type RefusedSender = {
  readonly throttle: Throttle;
  readonly words: string;
  /** The connection whose message shows whether the sender is still refused. */
  readonly trial: SmtpSession | null;
};

type SenderRefusal = { readonly kind: RelayTrouble; readonly words: string; readonly isTaken: boolean };

/** When mail of a refused sender may use the relay: at an instant; null: when its message under way has ended. */
type Rest = { readonly until: Instant | null };

/**
 * The senders that one relay refuses while it accepts others: their domain is not verified yet, say. Such a refusal
 * must not hold up the mail of others, so the sender has its own pauses.
 *
 *   accepted --refused, another sender was accepted within a minute--> paused --> one message tries it --> accepted
 *                                                                        ^                  |
 *                                                                        '-----refused------'
 *
 * If no other sender was accepted, the refusal is about us all, and the relay is paused. A sender that is refused
 * already proves nothing for others: if the relay begins to refuse everybody, this is noticed at the second sender.
 */
export class RefusedSenders {
  readonly #refused = new Map<string, RefusedSender>();
  /** Whose mail was accepted last; newest first, each sender once, and no refused one. */
  #accepted: readonly { readonly sender: string; readonly at: Instant }[] = [];

  /** The relay accepted a message of the sender. Returns whether it refused the sender before. */
  accepted(sender: string, now: Instant): boolean {
    const known = this.#refused.get(sender);
    // It was sent before the pause, so it does not end it.
    if (known !== undefined && allowed(known.throttle, now).pausedUntil !== null) return false;
    const [newest] = this.#accepted;
    if (newest?.sender !== sender || newest.at !== now)
      this.#accepted = [{ sender, at: now }, ...this.#acceptedBeside(sender)].slice(0, ACCEPTED_KEPT);
    return this.#refused.delete(sender);
  }

  /**
   * The relay refused a message for a reason that may be its sender, in these words. `isTaken`: it had taken the sender
   * at MAIL, so only this message may be meant. True: it refuses this sender alone, which has a pause now.
   */
  refused(sender: string, { kind, words, isTaken }: SenderRefusal, now: Instant): boolean {
    const known = this.#refused.get(sender);
    this.#accepted = this.#acceptedBeside(sender);
    const isOtherAccepted = this.#accepted.some(({ at }) => isTaken || Math.abs(now - at) <= LATELY_MS);
    if (known === undefined && !isOtherAccepted) return false;
    const throttle = onTrouble(known?.throttle ?? initialThrottle(1), kind, now);
    putLast(this.#refused, sender, { throttle, words, trial: known?.trial ?? null }, REFUSED_KEPT);
    return true;
  }

  /** What the relay says of the sender; null: it accepts it, as far as we know. */
  wordsOn(sender: string): string | null {
    return this.#refused.get(sender)?.words ?? null;
  }

  /** Null: the sender need not wait. */
  restOf(sender: string, now: Instant): Rest | null {
    const known = this.#refused.get(sender);
    if (known === undefined) return null;
    const { pausedUntil } = allowed(known.throttle, now);
    return pausedUntil === null && known.trial === null ? null : { until: pausedUntil };
  }

  /** A message of the sender uses the connection. If the sender was refused, no other one starts until it has ended. */
  lent(sender: string, session: SmtpSession): void {
    const known = this.#refused.get(sender);
    if (known !== undefined) this.#refused.set(sender, { ...known, trial: session });
  }

  givenBack(sender: string, session: SmtpSession): void {
    const known = this.#refused.get(sender);
    if (known?.trial === session) this.#refused.set(sender, { ...known, trial: null });
  }

  #acceptedBeside(sender: string) {
    return this.#accepted.filter((accepted) => accepted.sender !== sender);
  }
}
