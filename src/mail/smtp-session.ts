import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Clock } from "#core/clock.ts";
import { clearTextRefusal, connectionOptions, describeProblem, sizeRefusal } from "./connection-options.ts";
import { HeldBody } from "./held-body.ts";
import { isLoopback, type RelayAddress } from "./relay-address.ts";
import { SmtpDialogue } from "./smtp-dialogue.ts";
import type { DotOutcome, Offer, SmtpFailure, SmtpSession } from "./smtp-outcome.ts";
import { envelopeLimitMs, stageLimits, type StageLimits } from "./stage-limits.ts";
import { Vigil } from "./vigil.ts";

export type { DotOutcome, Offer, SmtpFailure, SmtpSession } from "./smtp-outcome.ts";

/** A session with one relay; not connected yet. The limits are kept by the given clock. */
export function smtpSession(
  relay: RelayAddress,
  clock: Clock,
  limits: Partial<StageLimits> = {},
): SmtpSession {
  return new NodemailerSession(relay, clock, { ...stageLimits, ...limits });
}

type State = "new" | "opening" | "idle" | "envelope" | "body" | "held" | "dot" | "over";
type SendError = Parameters<Parameters<SMTPConnection["send"]>[2]>[0];

class NodemailerSession implements SmtpSession {
  #state: State = "new";
  /** Why the session is over. */
  #end = "the session was not opened";
  #resetting: Promise<void> | null = null;
  readonly #dialogue = new SmtpDialogue();
  readonly #vigil: Vigil;
  readonly #connection: SMTPConnection;

  constructor(
    private readonly relay: RelayAddress,
    clock: Clock,
    private readonly limits: StageLimits,
  ) {
    this.#vigil = new Vigil(clock);
    // The transaction log is nodemailer's public way to see each command and reply. Secrets are masked in it, and we keep none of it.
    const log = {
      debug: (entry: { tnx?: string }, line: string) => this.#heard(entry.tnx, line),
      info() {},
      warn() {},
      error() {},
    };
    this.#connection = new SMTPConnection({
      ...connectionOptions(relay, limits),
      logger: log,
      transactionLog: true,
    });
    this.#connection.on("error", (error) => this.#over(describeProblem(error)));
    this.#connection.on("end", () => this.#over("the connection was closed"));
  }

  get usable(): boolean {
    const socket = this.#socket;
    return (
      this.#state !== "new" &&
      this.#state !== "over" &&
      Boolean(socket && !socket.destroyed && socket.writable)
    );
  }

  get encrypted(): boolean {
    return this.#connection.secure;
  }

  get loggedIn(): boolean {
    return this.#connection.authenticated;
  }

  async open(): Promise<SmtpFailure | null> {
    if (this.#state !== "new") throw new Error("A session is opened once.");
    this.#state = "opening";
    this.#vigil.limit(this.limits.connectMs, () => this.#connectExpired());
    const connecting = this.#vigil.until(() =>
      this.#connection.connect((error) => this.#vigil.done(error ? describeProblem(error) : null)),
    );
    const problem = (await connecting) ?? (await this.#authenticate());
    this.#vigil.lift();
    if (problem === null && this.#move("opening", "idle")) {
      this.#end = "the relay closed the connection";
      return null;
    }
    this.#over(problem ?? "");
    return this.#failed(this.#end);
  }

  async offer(envelope: { from: string; to: string }, message: Uint8Array | string): Promise<Offer> {
    await this.#resetting;
    if (!this.usable) return { ok: false, failure: { stage: "MAIL", reply: null, detail: this.#end } };
    if (this.#state !== "idle")
      throw new Error(`A session takes one message at a time, and this one is ${this.#state}.`);
    this.#state = "envelope";
    this.#dialogue.begin();
    const bytes =
      typeof message === "string"
        ? Buffer.from(message)
        : Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    const body = new HeldBody(bytes, { begun: () => this.#begun(), written: () => this.#written() });
    this.#limit(this.limits.mailMs);
    const problem = await this.#vigil.until(() => {
      this.#connection.send({ from: envelope.from, to: envelope.to, size: bytes.length }, body, (error) =>
        this.#answered(error),
      );
    });
    if (problem !== null || !this.#move("body", "held"))
      return { ok: false, failure: this.#refused(problem ?? this.#end) };
    this.#vigil.lift();
    let outcome: Promise<DotOutcome> | null = null;
    return { ok: true, finish: () => (outcome ??= this.#finish(body)) };
  }

  close(): void {
    if (this.#state !== "idle" || !this.usable) return this.destroy();
    this.#state = "over";
    this.#end = "the session was closed";
    this.#vigil.limit(this.limits.quitMs, () => this.#connection.close());
    this.#connection.quit();
  }

  destroy(): void {
    this.#over("the session was cut");
  }

  async #authenticate(): Promise<string | null> {
    const { auth, host, ignoreTls } = this.relay;
    if (auth === null) return null;
    this.#dialogue.authenticating();
    if (!this.#connection.secure && !ignoreTls && !isLoopback(host)) {
      this.#dialogue.refuse("AUTH", clearTextRefusal);
      return "the password was not sent in clear text";
    }
    // As nodemailer's own transports do: a relay that announces no AUTH, like most on loopback, is used without.
    if (!this.#connection.allowsAuth) return null;
    this.#limit(this.limits.authMs);
    return await this.#vigil.until(() =>
      this.#connection.login({ ...auth }, (error) => this.#vigil.done(error ? describeProblem(error) : null)),
    );
  }

  async #finish(body: HeldBody): Promise<DotOutcome> {
    if (this.#state !== "held" || !this.usable) return { unsent: this.#failed(this.#end) };
    this.#state = "dot";
    this.#dialogue.dotSent();
    this.#limit(this.limits.dotMs);
    const problem = await this.#vigil.until(() => body.release());
    this.#vigil.lift();
    const reply = this.#dialogue.dotReply;
    if (reply === null || (reply.code >= 300 && reply.code < 400)) {
      this.#over(problem ?? "the answer to the dot is none");
      return { lost: problem ?? "the answer to the dot is none" };
    }
    this.#move("dot", "idle");
    return { reply };
  }

  /** nodemailer's word on the message: a refused envelope, the reply to the dot, or the end of the connection. */
  #answered(error: SendError): void {
    const problem = error ? describeProblem(error) : null;
    if (this.#state === "dot") return this.#vigil.done(problem);
    if (this.#state !== "envelope") return this.#over("the relay answered before the end of the message");
    if (error?.code === "EMESSAGE" && error.response === undefined)
      this.#dialogue.refuse("MAIL", sizeRefusal);
    this.#vigil.done(problem ?? "the relay answered out of turn");
  }

  /** After a refusal in the envelope the relay may still hold its first half: RSET, before anything else is said. */
  #refused(problem: string): SmtpFailure {
    const failure = this.#failed(problem);
    if (this.#state !== "envelope" || failure.reply === null || !this.usable) this.#over(problem);
    else {
      this.#state = "idle";
      this.#resetting = this.#forgetEnvelope();
    }
    return failure;
  }

  async #forgetEnvelope(): Promise<void> {
    this.#limit(this.limits.mailMs);
    await this.#vigil.until(() =>
      this.#connection.reset((error) =>
        error ? this.#over(describeProblem(error)) : this.#vigil.done(null),
      ),
    );
    this.#resetting = null;
    if (this.#state === "idle") this.#vigil.lift();
  }

  /** nodemailer takes a 2xx for DATA too; for us that is a relay out of step, and its next reply would be taken for the dot's. */
  #begun(): void {
    if (this.#dialogue.refusal !== null) return this.#over("the relay did not answer DATA with 354");
    this.#state = "body";
    this.#limit(this.limits.bodyMs);
  }

  #written(): void {
    const socket = this.#socket;
    if (socket && socket.writableNeedDrain) socket.once("drain", () => this.#vigil.done(null));
    else this.#vigil.done(null);
  }

  #heard(who: string | undefined, line: string): void {
    if (who === "client") this.#dialogue.sent(line);
    if (who !== "server") return;
    this.#dialogue.received(line);
    if (this.#state === "envelope") this.#limit(envelopeLimitMs(this.limits, this.#dialogue.stage));
  }

  /** Reaching the relay and being greeted share one wait; nodemailer tells them apart by its stage. */
  #connectExpired(): void {
    if (this.#connection.stage === "init") this.#over(`no connection within ${this.limits.connectMs} ms`);
    else this.#limit(this.limits.greetingMs);
  }

  #limit(limitMs: number): void {
    this.#vigil.limit(limitMs, () => this.#over(`no reply at ${this.#dialogue.stage} within ${limitMs} ms`));
  }

  #failed(detail: string): SmtpFailure {
    const { refusal, stage } = this.#dialogue;
    return { stage: refusal?.stage ?? stage, reply: refusal?.reply ?? null, detail };
  }

  /** Public by nodemailer's own types, in spite of its name; after STARTTLS it is the TLS socket. */
  get #socket(): SMTPConnection["_socket"] {
    // oxlint-disable-next-line no-underscore-dangle
    return this.#connection._socket;
  }

  /** One step along the states of `SmtpSession`; false when the session was over meanwhile. */
  #move(from: State, to: State): boolean {
    if (this.#state !== from) return false;
    this.#state = to;
    return true;
  }

  #over(why: string): void {
    if (this.#state !== "over") this.#end = why;
    this.#state = "over";
    this.#vigil.lift();
    this.#connection.close();
    this.#vigil.done(this.#end);
  }
}
