import { present } from "#core/present.ts";
import type { Clock } from "#core/time/clock.ts";
import type { Stage } from "#core/smtp-reply.ts";
import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import { Deadline } from "./deadline.ts";
import { envelopeCommands, refusedUnsent } from "./envelope-commands.ts";
import { Pending } from "./pending.ts";
import { RelayConnection, type Announced } from "./relay-connection.ts";
import { dotAnswer, isYes, refusalIn, type Refusal } from "./reply-meaning.ts";
import type { DotOutcome, Envelope, Offer, SmtpFailure, SmtpSession } from "./smtp-outcome.ts";
import { envelopeLimitMs, stageLimits, type StageLimits } from "./stage-limits.ts";
import { Wire } from "./wire.ts";
import { wireBody, type Message, type WireBody } from "./wire-body.ts";

/** A session with one relay, not connected yet. Its time limits use the given clock. `onEnd` is called at its end. */
export function smtpSession(
  relay: RelayAddress,
  clock: Clock,
  limits: Partial<StageLimits> = {},
  onEnd: () => void = () => undefined,
): SmtpSession {
  return new RelaySession(relay, clock, { ...stageLimits, ...limits }, onEnd);
}

type State = "new" | "opening" | "idle" | "envelope" | "resetting" | "body" | "held" | "dot" | "over";
/** `NOTHING`: the end of an empty message, if the relay accepted DATA although it refused the envelope. */
type Awaited = "MAIL" | "RCPT" | "DATA" | "DOT" | "NOTHING" | "RSET";

class RelaySession implements SmtpSession {
  #state: State = "new";
  /** Why the session is over. */
  #end = "the session was not opened";
  /** The stage whose reply is awaited, or the last one that was answered. */
  #stage: Stage = "CONNECT";
  /** The first refusal of the message. */
  #refusal: Refusal | null = null;
  /** The relay refused the message's recipient, whatever it said to the other commands. */
  #hasNoRecipient = false;
  #wire: Wire | null = null;
  #announced: Announced = { pipelining: false, sizeMax: null, size: false, dsn: false };
  /** The message that is being offered, and the one whose dot is not answered yet. */
  #body: WireBody | null = null;
  #atDot: WireBody | null = null;
  /** The commands that are not answered yet, in order. */
  #awaited: Awaited[] = [];
  /** The commands that are still to be written, each when the one before it is answered. */
  #unwritten: string[] = [];
  readonly #offer = new Pending<Offer>();
  readonly #dot = new Pending<DotOutcome>();
  readonly #reset = new Pending<void>();
  readonly #quit = new Pending<void>();
  served = 0;
  endedAfter: number | null = null;
  readonly #deadline: Deadline;
  readonly #connection: RelayConnection;

  constructor(
    relay: RelayAddress,
    private readonly clock: Clock,
    private readonly limits: StageLimits,
    private readonly onEnd: () => void,
  ) {
    const { mailMs, rcptMs, dataMs, bodyMs, dotMs, quitMs } = limits;
    this.#deadline = new Deadline(clock, Math.min(mailMs, rcptMs, dataMs, bodyMs, dotMs, quitMs));
    this.#connection = new RelayConnection(relay, clock, limits, (why) => this.#relayEnded(why));
  }

  get usable(): boolean {
    return this.#state !== "over" && (this.#wire?.isOpen ?? false);
  }

  get encrypted(): boolean {
    return this.#connection.encrypted;
  }

  get loggedIn(): boolean {
    return this.#connection.loggedIn;
  }

  get pipelines(): boolean {
    return this.#announced.pipelining;
  }

  async open(): Promise<SmtpFailure | null> {
    if (this.#state !== "new") throw new Error("A session is opened once.");
    this.#state = "opening";
    const opened = await this.#connection.open();
    if ("stage" in opened || this.#isOver) {
      const why = "stage" in opened ? opened.detail : this.#end;
      this.#over(why);
      return "stage" in opened ? { ...opened, detail: this.#end } : this.#failed(why);
    }
    this.#state = "idle";
    this.#end = "the relay closed the connection";
    this.#announced = opened.announced;
    this.#wire = new Wire(opened.socket, this.clock, {
      reply: (raw) => this.#received(raw),
      endless: () => this.#over("the relay's reply does not end"),
    });
    opened.socket.on("end", () => this.#relayEnded(this.#end));
    return null;
  }

  async offer(envelope: Envelope, message: Message): Promise<Offer> {
    if (this.#reset.answer !== null) await this.#reset.answer;
    if (!this.usable) return { ok: false, failure: { stage: "MAIL", reply: null, detail: this.#end } };
    if (this.#state !== "idle" && !(this.#state === "dot" && this.pipelines))
      throw new Error(`A session takes one message at a time, and this one is ${this.#state}.`);
    const body = wireBody(message);
    const refused = refusedUnsent(envelope, body.content.length, this.#announced);
    if (refused !== null) return { ok: false, failure: { stage: "MAIL", reply: refused, detail: "" } };
    this.#body = body;
    this.#refusal = null;
    const answer = this.#offer.ask();
    this.#sayEnvelope(envelope, body);
    return await answer;
  }

  close(): Promise<void> {
    if (this.#state !== "idle" || !this.usable) {
      this.destroy();
      return Promise.resolve();
    }
    this.#state = "over";
    this.#end = "the session was closed";
    this.#deadline.set(this.limits.quitMs, () => this.#over(this.#end));
    this.#wire?.write("QUIT\r\n");
    return this.#quit.ask();
  }

  destroy(): void {
    this.#over("the session was cut");
  }

  /** Read again each time, because the session may have ended during the last `await`. */
  get #isOver(): boolean {
    return this.#state === "over";
  }

  #sayEnvelope(envelope: Envelope, { content }: WireBody): void {
    const commands = envelopeCommands(envelope, content.length, this.#announced);
    this.#state = "envelope";
    this.#stage = "MAIL";
    this.#awaited.push("MAIL", "RCPT", "DATA");
    this.#unwritten = this.pipelines ? [commands.join("")] : commands;
    this.#sayNext();
  }

  #sayNext(): void {
    const commands = this.#unwritten.shift();
    if (commands !== undefined) this.#wire?.write(commands);
    // While the previous dot is unanswered, its time limit still counts.
    if (this.#dot.answer === null) this.#expectEnvelope();
  }

  #expectEnvelope(): void {
    this.#expect(envelopeLimitMs(this.limits, this.#stage));
  }

  #received(raw: string): void {
    // After our QUIT, its reply and then the end of the connection follow.
    if (this.#state === "over") return;
    // Nothing answers a dot that was not written.
    const what = this.#wire?.isKeeping ? undefined : this.#awaited.shift();
    switch (what) {
      case "DOT":
        return this.#dotReply(raw);
      case "NOTHING":
        return;
      case "RSET":
        return this.#resetReply(raw);
      case undefined:
        // Inside DATA, such a reply means that the relay gave up on us or lost count. It never accepts the message.
        this.#refusal ??= refusalIn(this.#stage, raw);
        return this.#relayEnded("the relay answered out of turn");
      case "MAIL":
      case "RCPT":
      case "DATA":
        return this.#envelopeReply(what, raw);
    }
  }

  #envelopeReply(stage: "MAIL" | "RCPT" | "DATA", raw: string): void {
    const yes = isYes(stage, raw);
    if (!yes) this.#refusal ??= refusalIn(stage, raw);
    if (stage === "RCPT") this.#hasNoRecipient = refusalIn(stage, raw).reply !== null;
    if (raw.startsWith("421")) return this.#relayEnded("the relay closed the connection");
    const refusal = this.#refusal;
    if (refusal === null) {
      if (stage === "DATA") return this.#writeBody();
      this.#stage = stage === "MAIL" ? "RCPT" : "DATA";
      return this.#sayNext();
    }
    if (refusal.reply === null) return this.#over(`the relay's reply at ${refusal.stage} does not fit`);
    // The relay also answers the rest of what was sent at once. What was not sent yet is dropped.
    if (this.#unwritten.length === 0 && this.#awaited.length > 0) return;
    this.#forgetEnvelope(stage === "DATA" && yes);
  }

  /**
   * After a refusal in the envelope, the relay may still hold the first half of it: RSET comes before any other
   * command. A relay that still waits for the message, without recipients, gets an empty one (RFC 2920, 3.1). If it
   * accepted the recipient, it would deliver the empty one: its connection is cut.
   */
  #forgetEnvelope(wantsMessage: boolean): void {
    if (wantsMessage && !this.#hasNoRecipient)
      return this.#over("the relay refused the sender, and said 354");
    this.#unwritten = [];
    this.#state = "resetting";
    this.#awaited = wantsMessage ? ["NOTHING", "RSET"] : ["RSET"];
    void this.#reset.ask();
    this.#wire?.write(wantsMessage ? ".\r\nRSET\r\n" : "RSET\r\n");
    this.#expect(this.limits.mailMs);
    this.#offer.settle({ ok: false, failure: this.#failed("the relay refused the message") });
  }

  #resetReply(raw: string): void {
    if (!isYes("RSET", raw)) return this.#over("the relay refused RSET");
    this.served++;
    this.#state = "idle";
    this.#deadline.lift();
    this.#reset.settle();
  }

  #writeBody(): void {
    const wire = present(this.#wire, "wire of an open session");
    this.#state = "body";
    this.#stage = "DATA";
    this.#expect(this.limits.bodyMs);
    const { content } = present(this.#body, "message that was offered");
    wire.writeContent(content, () => this.#hold());
  }

  #hold(): void {
    if (this.#state !== "body") return;
    this.#state = "held";
    this.#deadline.lift();
    let outcome: Promise<DotOutcome> | null = null;
    this.#offer.settle({ ok: true, finish: () => (outcome ??= this.#finish()) });
  }

  #finish(): Promise<DotOutcome> {
    if (this.#state !== "held" || !this.usable) return Promise.resolve({ unsent: this.#failed(this.#end) });
    this.#state = "dot";
    this.#stage = "DOT";
    this.#expect(this.limits.dotMs);
    this.#awaited.push("DOT");
    // The next message may be offered in this turn of the event loop: then one packet carries both.
    this.#atDot = present(this.#body, "message that is held");
    this.#wire?.writeSoon(this.#atDot.end);
    this.#body = null;
    return this.#dot.ask();
  }

  #dotReply(raw: string): void {
    const reply = dotAnswer(raw);
    if (reply === null) return this.#over("the answer to the dot is none");
    this.served++;
    // The relay has read all of the message.
    if (reply.code < 300) this.#atDot?.release?.();
    this.#dot.settle({ reply });
    if (this.#state === "dot") {
      this.#state = "idle";
      this.#deadline.lift();
    } else this.#expectEnvelope();
    if (reply.code === 421) this.#over("the relay closed the connection");
  }

  #failed(detail: string): SmtpFailure {
    const refusal = this.#refusal;
    return { stage: refusal?.stage ?? this.#stage, reply: refusal?.reply ?? null, detail };
  }

  #expect(limitMs: number): void {
    this.#deadline.set(limitMs, () => {
      const stage = this.#dot.answer === null ? this.#stage : "DOT";
      this.#over(`no reply at ${stage} within ${limitMs} ms`);
    });
  }

  /** The relay ended the connection. If nothing was begun since the last message, its limit is this many messages. */
  #relayEnded(why: string): void {
    const isBetween = this.#state === "idle" || (this.#state === "envelope" && this.#stage === "MAIL");
    if (isBetween && this.#dot.answer === null) this.endedAfter = this.served;
    this.#over(why);
  }

  #over(why: string): void {
    if (this.#state !== "over") this.#end = why;
    this.#state = "over";
    const failed = this.#failed(this.#end);
    if (this.#wire?.dropKept()) {
      this.#dot.settle({ unsent: { ...failed, stage: "DATA" } });
      // What the relay said of the message that waited for its dot does not concern the one behind it.
      this.#offer.settle({ ok: false, failure: { ...failed, stage: "MAIL", reply: null } });
    }
    this.#offer.settle({ ok: false, failure: failed });
    this.#dot.settle({ lost: this.#end });
    this.#deadline.end();
    this.#connection.cut(this.#end);
    this.#reset.settle();
    this.#quit.settle();
    this.onEnd();
  }
}
