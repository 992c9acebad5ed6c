import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import { Pending } from "#mail/smtp/session/pending.ts";
import type {
  DotOutcome,
  Envelope,
  Offer,
  SmtpFailure,
  SmtpSession,
} from "#mail/smtp/session/smtp-outcome.ts";
import { asFinished, type Message } from "#mail/smtp/session/wire-body.ts";
import type { Order, Report, SessionState } from "./messages.ts";
import type { Lying, SharedMemory } from "./shared-memory.ts";

/** The part of a session's thread that the session uses. */
export type ThreadOfSession = {
  order(order: Order): void;
  readonly memory: SharedMemory;
  /** The session is over. Nothing more is reported about it. */
  gone(session: number): void;
};

/**
 * A session in a sender thread, as the main thread sees it. Whether a dot may be written is decided here: the
 * thread writes it only on an order. Everything that is unanswered when the thread ends, or when the session is
 * destroyed, is answered here.
 *
 *     new -> opening -> open -> over
 */
export class ThreadSession implements SmtpSession {
  #state: "new" | "opening" | "open" | "over" = "new";
  #seen: SessionState = { usable: false, served: 0, endedAfter: null };
  #end = "the session was not opened";
  #isOurs = false;
  encrypted = false;
  loggedIn = false;
  pipelines = false;
  /** The message that is being offered or held, and the one whose dot is not answered yet. */
  #offered: Lying | null = null;
  #atDot: Lying | null = null;
  readonly #opening = new Pending<SmtpFailure | null>();
  readonly #offer = new Pending<Offer>();
  readonly #dot = new Pending<DotOutcome>();
  readonly #quit = new Pending<void>();

  constructor(
    private readonly number: number,
    private readonly relay: RelayAddress,
    private readonly thread: ThreadOfSession,
  ) {}

  get usable(): boolean {
    return this.#state === "open" && this.#seen.usable;
  }

  get served(): number {
    return this.#seen.served;
  }

  get endedAfter(): number | null {
    return this.#seen.endedAfter;
  }

  open(): Promise<SmtpFailure | null> {
    if (this.#state === "over") return Promise.resolve(this.#failed("CONNECT"));
    this.#state = "opening";
    this.#end = "the relay closed the connection";
    this.thread.order({ order: "open", session: this.number, relay: this.relay });
    return this.#opening.ask();
  }

  offer({ from, to }: Envelope, message: Message): Promise<Offer> {
    if (!this.usable) return Promise.resolve({ ok: false, failure: this.#failed("MAIL") });
    const finished = asFinished(message);
    const lying = this.thread.memory.put(finished.bytes);
    finished.release?.();
    this.#offered = lying;
    const { memory, length } = lying;
    this.thread.order({ order: "offer", session: this.number, from, to, memory, length });
    return this.#offer.ask();
  }

  close(): Promise<void> {
    if (!this.usable || this.#offered !== null || this.#atDot !== null) {
      this.destroy();
      return Promise.resolve();
    }
    this.#seen = { ...this.#seen, usable: false };
    this.thread.order({ order: "close", session: this.number });
    return this.#quit.ask();
  }

  destroy(): void {
    if (this.#state === "over") return;
    if (this.#state !== "new") this.thread.order({ order: "destroy", session: this.number });
    this.#over("the session was cut");
  }

  /** The thread has ended. A dot that was ordered may have been written. */
  threadEnded(): void {
    this.#isOurs = true;
    this.#over("its thread ended");
  }

  heard(report: Report): void {
    if (this.#state === "over") return;
    this.#seen = this.#quit.answer === null ? report.state : { ...report.state, usable: false };
    switch (report.report) {
      case "opened":
        return this.#opened(report);
      case "offered":
        if (report.failure !== null) this.#dropOffered();
        return this.#offer.settle(
          report.failure === null ? this.#atTheDot() : { ok: false, failure: report.failure },
        );
      case "answered":
        return this.#answered(report.outcome);
      case "closed":
        return this.#over("the session was closed");
      case "ended":
        return;
    }
  }

  #opened({ failure, encrypted, loggedIn, pipelines }: Extract<Report, { report: "opened" }>): void {
    this.#state = "open";
    [this.encrypted, this.loggedIn, this.pipelines] = [encrypted, loggedIn, pipelines];
    this.#opening.settle(failure);
  }

  #atTheDot(): Offer {
    const lying = this.#offered;
    let outcome: Promise<DotOutcome> | null = null;
    return { ok: true, finish: () => (outcome ??= this.#finish(lying)) };
  }

  #finish(lying: Lying | null): Promise<DotOutcome> {
    // The session was cut meanwhile: the thread was never ordered to write the dot.
    if (lying === null || this.#offered !== lying) return Promise.resolve({ unsent: this.#failed("DATA") });
    this.#offered = null;
    this.#atDot = lying;
    this.thread.order({ order: "finish", session: this.number });
    return this.#dot.ask();
  }

  #answered(outcome: DotOutcome): void {
    const lying = this.#atDot;
    this.#atDot = null;
    const isAccepted = "reply" in outcome && outcome.reply.code < 300;
    if (lying !== null && isAccepted) this.thread.memory.giveBack(lying);
    else if (lying !== null) this.thread.memory.forget(lying);
    this.#dot.settle(outcome);
  }

  #dropOffered(): void {
    if (this.#offered !== null) this.thread.memory.forget(this.#offered);
    this.#offered = null;
  }

  #failed(stage: SmtpFailure["stage"]): SmtpFailure {
    const failure = { stage, reply: null, detail: this.#end };
    return this.#isOurs ? { ...failure, isOurs: true } : failure;
  }

  #over(why: string): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#end = why;
    this.#dropOffered();
    if (this.#atDot !== null) this.thread.memory.forget(this.#atDot);
    this.#atDot = null;
    this.thread.gone(this.number);
    this.#opening.settle(this.#failed("CONNECT"));
    this.#offer.settle({ ok: false, failure: this.#failed("DATA") });
    this.#dot.settle(this.#isOurs ? { lost: why, isOurs: true } : { lost: why });
    this.#quit.settle();
  }
}
