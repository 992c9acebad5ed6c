/** So many relay-wide refusals of one message, with others accepted in between, and the message is what is wrong. */
const REFUSALS_MAX = 3;

/**
 * Some refusals of a recipient read like a fault of ours or of the relay ("protocol error", "relaying denied"), and so stop
 * the relay for a while instead of failing the message. One odd recipient must not do that for ever: this counts them.
 */
export class RefusalCount {
  private acceptedInAll = 0;
  private readonly refused = new Map<number, { times: number; acceptedBefore: number }>();

  accepted(): void {
    this.acceptedInAll++;
  }

  forget(message: number): void {
    this.refused.delete(message);
  }

  /** Counts one more refusal of this message; true when it alone is refused while others get through. */
  isItsOwnFault(message: number): boolean {
    const known = this.refused.get(message) ?? { times: 0, acceptedBefore: this.acceptedInAll };
    known.times++;
    this.refused.set(message, known);
    return known.times >= REFUSALS_MAX && this.acceptedInAll > known.acceptedBefore;
  }
}
