import type { Instant } from "#core/clock.ts";

/** So many relay-wide refusals of one message, with others accepted in between, and the message is what is wrong. */
const REFUSALS_MAX = 3;

/** Refused for so long, with nobody else to compare it with, it has had its time. */
const PATIENCE_MS = 24 * 60 * 60_000;

/**
 * Some refusals of a recipient read like a fault of ours or of the relay ("protocol error", "relaying denied"), and so stop
 * the relay for a while instead of failing the message. One odd recipient must not do that for ever: this counts them.
 */
export class RefusalCount {
  private acceptedInAll = 0;
  private readonly refused = new Map<number, { times: number; acceptedBefore: number; since: Instant }>();

  accepted(): void {
    this.acceptedInAll++;
  }

  forget(message: number): void {
    this.refused.delete(message);
  }

  /** Counts one more refusal of this message; true when it alone is refused while others get through, or for too long. */
  isItsOwnFault(message: number, now: Instant): boolean {
    const known = this.refused.get(message) ?? { times: 0, acceptedBefore: this.acceptedInAll, since: now };
    known.times++;
    this.refused.set(message, known);
    if (known.times < REFUSALS_MAX) return false;
    return this.acceptedInAll > known.acceptedBefore || now - known.since >= PATIENCE_MS;
  }
}
