import { present } from "#core/present.ts";
import type { Socket } from "node:net";
import type { Clock } from "#core/clock.ts";
import { parseReply, type SmtpReply, type Stage } from "#core/smtp-reply.ts";
import { sizeRefusal, unspeakableRefusal } from "./connection-options.ts";
import type { RelayAddress } from "./relay-address.ts";
import { Deadline } from "./deadline.ts";
import { RelayConnection, type Announced } from "./relay-connection.ts";
import { ReplyReader } from "./reply-reader.ts";
import type { DotOutcome, Envelope, Offer, SmtpFailure, SmtpSession } from "./smtp-outcome.ts";
import { envelopeLimitMs, stageLimits, type StageLimits } from "./stage-limits.ts";
import { wireBody, type Message, type WireBody } from "./wire-body.ts";

export type { DotOutcome, Offer, SmtpFailure, SmtpSession } from "./smtp-outcome.ts";

/** A session with one relay, not connected yet. Its time limits use the given clock. */
export function smtpSession(
  relay: RelayAddress,
  clock: Clock,
  limits: Partial<StageLimits> = {},
): SmtpSession {
  return new RelaySession(relay, clock, { ...stageLimits, ...limits });
}

type State = "new" | "opening" | "idle" | "envelope" | "resetting" | "body" | "held" | "dot" | "over";
/** `NOTHING`: the end of an empty message, where the relay accepted DATA although it refused the envelope. */
type Awaited = "MAIL" | "RCPT" | "DATA" | "DOT" | "NOTHING" | "RSET";

class RelaySession implements SmtpSession {
  #state: State = "new";
  /** Why the session is over. */
  #end = "the session was not opened";
  /** The stage whose reply we wait for, or the last one answered. */
  #stage: Stage = "CONNECT";
  /**
   * The first reply that refused the message. `reply` is null when the bytes were no reply, or a reply that
   * does not fit the command.
   */
  #refusal: { stage: Stage; reply: SmtpReply | null } | null = null;
  #socket: Socket | null = null;
  #announced: Announced | null = null;
  #body: WireBody | null = null;
  /**
   * The commands that are still unanswered, in order; and the commands to write when the one before is
   * answered.
   */
  #awaited: Awaited[] = [];
  #unsaid: string[] = [];
  /** A dot that is written together with the next bytes, at the latest in this turn of the event loop. */
  #dot = "";
  #offered: ((offer: Offer) => void) | null = null;
  #answered: ((outcome: DotOutcome) => void) | null = null;
  #reset: (() => void) | null = null;
  #resetting: Promise<void> | null = null;
  #quit: (() => void) | null = null;
  served = 0;
  endedAfter: number | null = null;
  readonly #deadline: Deadline;
  readonly #reader = new ReplyReader();
  readonly #connection: RelayConnection;

  constructor(
    relay: RelayAddress,
    clock: Clock,
    private readonly limits: StageLimits,
  ) {
    const { mailMs, rcptMs, dataMs, bodyMs, dotMs, quitMs } = limits;
    this.#deadline = new Deadline(clock, Math.min(mailMs, rcptMs, dataMs, bodyMs, dotMs, quitMs));
    this.#connection = new RelayConnection(relay, clock, limits, (why) => this.#ended(why));
  }

  get usable(): boolean {
    const socket = this.#socket;
    return this.#state !== "over" && socket !== null && !socket.destroyed && socket.writable;
  }

  get encrypted(): boolean {
    return this.#connection.encrypted;
  }

  get loggedIn(): boolean {
    return this.#connection.loggedIn;
  }

  get pipelines(): boolean {
    return this.#announced?.pipelining ?? false;
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
    this.#socket = opened.socket;
    this.#announced = opened.announced;
    opened.socket.on("data", (chunk: Buffer) => this.#read(chunk));
    opened.socket.on("end", () => this.#ended(this.#end));
    return null;
  }

  async offer(envelope: Envelope, message: Message): Promise<Offer> {
    if (this.#resetting !== null) await this.#resetting;
    if (!this.usable) return { ok: false, failure: { stage: "MAIL", reply: null, detail: this.#end } };
    if (this.#state !== "idle" && !(this.#state === "dot" && this.pipelines))
      throw new Error(`A session takes one message at a time, and this one is ${this.#state}.`);
    const body = wireBody(message);
    const refused = this.#refusedUnsent(envelope, body);
    if (refused !== null) return { ok: false, failure: { stage: "MAIL", reply: refused, detail: "" } };
    this.#body = body;
    this.#refusal = null;
    return await new Promise((resolve) => {
      this.#offered = resolve;
      this.#sayEnvelope(envelope, body);
    });
  }

  close(): Promise<void> {
    if (this.#state !== "idle" || !this.usable) {
      this.destroy();
      return Promise.resolve();
    }
    this.#state = "over";
    this.#end = "the session was closed";
    this.#deadline.set(this.limits.quitMs, () => this.#over(this.#end));
    this.#write("QUIT\r\n");
    return new Promise((resolve) => (this.#quit = resolve));
  }

  destroy(): void {
    this.#over("the session was cut");
  }

  /** Read again each time: the session may have ended during the last `await`. */
  get #isOver(): boolean {
    return this.#state === "over";
  }

  #refusedUnsent({ from, to }: Envelope, { content }: WireBody): SmtpReply | null {
    const sizeMax = this.#announced?.sizeMax ?? null;
    if (sizeMax !== null && content.length > sizeMax) return sizeRefusal;
    return isSpeakable(from) && isSpeakable(to) ? null : unspeakableRefusal;
  }

  #sayEnvelope({ from, to }: Envelope, { content }: WireBody): void {
    const size = this.#announced?.size ? ` SIZE=${content.length}` : "";
    const commands = [`MAIL FROM:<${from}>${size}\r\n`, `RCPT TO:<${to}>\r\n`, "DATA\r\n"];
    this.#state = "envelope";
    this.#stage = "MAIL";
    this.#awaited.push("MAIL", "RCPT", "DATA");
    this.#unsaid = this.pipelines ? [commands.join("")] : commands;
    this.#sayNext();
  }

  #sayNext(): void {
    const said = this.#unsaid.shift();
    if (said !== undefined) this.#write(said);
    // While the dot before it is unanswered, the limit of that dot still counts.
    if (this.#answered === null) this.#expectEnvelope();
  }

  #expectEnvelope(): void {
    this.#expect(envelopeLimitMs(this.limits, this.#stage));
  }

  #read(chunk: Buffer): void {
    const replies = this.#reader.read(chunk);
    if (replies === null) return this.#over("the relay's reply does not end");
    for (const reply of replies) this.#received(reply);
  }

  #received(raw: string): void {
    // After our QUIT come its reply and then the end of the connection.
    if (this.#state === "over") return;
    const what = this.#awaited.shift();
    switch (what) {
      case "DOT":
        return this.#dotReply(raw);
      case "NOTHING":
        return;
      case "RSET":
        return this.#resetReply(raw);
      case undefined:
        // Inside DATA, such a reply means the relay gave up on us or lost count. It is never a yes, in any
        // stage.
        this.#refuse(this.#stage, raw);
        return this.#ended("the relay answered out of turn");
      case "MAIL":
      case "RCPT":
      case "DATA":
        return this.#envelopeReply(what, raw);
    }
  }

  #envelopeReply(stage: "MAIL" | "RCPT" | "DATA", raw: string): void {
    const isYes = stage === "DATA" ? goOn.test(raw) : done.test(raw);
    if (!isYes) this.#refuse(stage, raw);
    if (raw.startsWith("421")) return this.#ended("the relay closed the connection");
    const refusal = this.#refusal;
    if (refusal === null) {
      if (stage === "DATA") return this.#writeBody();
      this.#stage = stage === "MAIL" ? "RCPT" : "DATA";
      return this.#sayNext();
    }
    if (refusal.reply === null) return this.#over(`the relay's reply at ${refusal.stage} does not fit`);
    // The relay also answers the rest of what we sent at once. What was not sent yet is dropped.
    if (this.#unsaid.length === 0 && this.#awaited.length > 0) return;
    this.#forgetEnvelope(stage === "DATA" && isYes);
  }

  /**
   * After a refusal in the envelope, the relay may still hold the first half of it: RSET comes before any
   * other command. A relay that still wants the message, for nobody, gets an empty one (RFC 2920, 3.1).
   */
  #forgetEnvelope(wantsMessage: boolean): void {
    this.#unsaid = [];
    this.#state = "resetting";
    this.#awaited = wantsMessage ? ["NOTHING", "RSET"] : ["RSET"];
    this.#resetting = new Promise((resolve) => (this.#reset = resolve));
    this.#write(wantsMessage ? ".\r\nRSET\r\n" : "RSET\r\n");
    this.#expect(this.limits.mailMs);
    this.#conclude({ ok: false, failure: this.#failed("the relay refused the message") });
  }

  #resetReply(raw: string): void {
    if (!done.test(raw)) return this.#over("the relay refused RSET");
    this.served++;
    this.#state = "idle";
    this.#deadline.lift();
    this.#isReset();
  }

  #isReset(): void {
    this.#resetting = null;
    this.#reset?.();
    this.#reset = null;
  }

  #writeBody(): void {
    const socket = present(this.#socket, "socket of an open session");
    this.#state = "body";
    this.#stage = "DATA";
    this.#expect(this.limits.bodyMs);
    const { content } = present(this.#body, "message that was offered");
    if (typeof content === "string") socket.write(content, "latin1");
    else socket.write(content);
    if (socket.writableNeedDrain) socket.once("drain", () => this.#hold());
    else this.#hold();
  }

  #hold(): void {
    if (this.#state !== "body") return;
    this.#state = "held";
    this.#deadline.lift();
    let outcome: Promise<DotOutcome> | null = null;
    this.#conclude({ ok: true, finish: () => (outcome ??= this.#finish()) });
  }

  #finish(): Promise<DotOutcome> {
    if (this.#state !== "held" || !this.usable) return Promise.resolve({ unsent: this.#failed(this.#end) });
    this.#state = "dot";
    this.#stage = "DOT";
    this.#expect(this.limits.dotMs);
    this.#awaited.push("DOT");
    this.#dot = present(this.#body, "message that is held").end;
    this.#body = null;
    setImmediate(() => this.#write(""));
    return new Promise((resolve) => (this.#answered = resolve));
  }

  #dotReply(raw: string): void {
    const reply = parseReply(raw);
    if (reply === null || (reply.code >= 300 && reply.code < 400))
      return this.#over("the answer to the dot is none");
    this.served++;
    this.#settle({ reply });
    if (this.#state === "dot") {
      this.#state = "idle";
      this.#deadline.lift();
    } else this.#expectEnvelope();
    if (reply.code === 421) this.#over("the relay closed the connection");
  }

  #refuse(stage: Stage, raw: string): void {
    const reply = parseReply(raw);
    this.#refusal ??= { stage, reply: reply !== null && reply.code >= 400 ? reply : null };
  }

  #failed(detail: string): SmtpFailure {
    const refusal = this.#refusal;
    return { stage: refusal?.stage ?? this.#stage, reply: refusal?.reply ?? null, detail };
  }

  #conclude(offer: Offer): void {
    this.#offered?.(offer);
    this.#offered = null;
  }

  #settle(outcome: DotOutcome): void {
    this.#answered?.(outcome);
    this.#answered = null;
  }

  #write(text: string): void {
    const written = this.#dot + text;
    this.#dot = "";
    if (written !== "") this.#socket?.write(written, "latin1");
  }

  #expect(limitMs: number): void {
    this.#deadline.set(limitMs, () => {
      const stage = this.#answered === null ? this.#stage : "DOT";
      this.#over(`no reply at ${stage} within ${limitMs} ms`);
    });
  }

  /**
   * The relay ended the connection. If we had begun nothing since the last message, its limit is this many
   * messages.
   */
  #ended(why: string): void {
    const isBetween = this.#state === "idle" || (this.#state === "envelope" && this.#stage === "MAIL");
    if (isBetween && this.#answered === null) this.endedAfter = this.served;
    this.#over(why);
  }

  #over(why: string): void {
    if (this.#state !== "over") this.#end = why;
    this.#state = "over";
    this.#dot = "";
    this.#deadline.end();
    this.#connection.cut(this.#end);
    this.#isReset();
    this.#conclude({ ok: false, failure: this.#failed(this.#end) });
    this.#settle({ lost: this.#end });
    this.#quit?.();
    this.#quit = null;
  }
}

const goOn = /^3\d\d(?:[ -]|$)/;
const done = /^2\d\d(?:[ -]|$)/;

/** Whether an address can be written between the angle brackets of a command without closing them. */
const isSpeakable = (address: string): boolean => /^[\u0021-\u007e]*$/.test(address) && !/[<>]/.test(address);
