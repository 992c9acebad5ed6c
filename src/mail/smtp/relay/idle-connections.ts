import type { Clock } from "#core/time/clock.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";

/** An idle connection is kept this long for the next message. */
const IDLE_MS = 5_000;
/** A connection that was idle for longer than this may have been closed because it was idle. */
const NOT_IDLE_MS = 1_000;

/** Connections to a relay that are open and have no message: kept for the next one, or being closed. */
export class IdleConnections {
  #kept: { session: SmtpSession; since: number }[] = [];
  /** Connections on which we sent QUIT. The relay counts them until it has answered. */
  #closing = 0;
  #timer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    /** Called with a connection that the relay closed for another reason than that it was idle. */
    private readonly ended: (session: SmtpSession) => void,
  ) {}

  get kept(): number {
    return this.#kept.length;
  }

  /** As many as the relay counts. */
  get open(): number {
    return this.#kept.length + this.#closing;
  }

  keep(session: SmtpSession): void {
    this.#kept.push({ session, since: this.clock.monotonicMs() });
    this.#timer ??= this.clock.setTimer(IDLE_MS, () => this.#closeOld());
  }

  /** One that can be used, taken out of those that are kept. */
  take(): SmtpSession | null {
    for (let last = this.#kept.pop(); last !== undefined; last = this.#kept.pop()) {
      if (last.session.usable) return last.session;
      if (this.clock.monotonicMs() - last.since < NOT_IDLE_MS) this.ended(last.session);
      last.session.destroy();
    }
    return null;
  }

  /** Resolves when the relay has answered our QUIT. */
  async quit(session: SmtpSession): Promise<void> {
    this.#closing++;
    await session.close();
    this.#closing--;
  }

  close(): void {
    this.#timer?.();
    for (const { session } of this.#kept) void session.close();
  }

  #closeOld(): void {
    this.#timer = null;
    const oldest = this.clock.monotonicMs() - IDLE_MS;
    for (const { session } of this.#kept.filter(({ since }) => since <= oldest)) void this.quit(session);
    this.#kept = this.#kept.filter(({ since }) => since > oldest);
    if (this.#kept.length > 0) this.#timer = this.clock.setTimer(IDLE_MS, () => this.#closeOld());
  }
}
