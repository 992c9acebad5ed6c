import { parseReply, type SmtpReply, type Stage } from "#core/smtp-reply.ts";

type Refusal = { readonly stage: Stage; readonly reply: SmtpReply | null };

/**
 * Knows which command waits for its reply, so that a failure can be told by its stage even when commands were pipelined.
 * The SMTP client's errors cannot say that: a drop before and a drop after the dot look the same there.
 *
 * It is fed every command as it is written and every reply as it arrives, in order.
 */
export class SmtpDialogue {
  #phase: "CONNECT" | "AUTH" | "MESSAGE" = "CONNECT";
  #awaited: (Stage | "RSET")[] = [];
  #last: Stage = "CONNECT";
  #refusal: Refusal | null = null;
  #dotReply: SmtpReply | null = null;

  /** The stage whose reply is awaited, or the last one answered. */
  get stage(): Stage {
    const next = this.#awaited[0];
    return next === undefined || next === "RSET" ? this.#last : next;
  }

  /** The first reply that said no. Its `reply` is null when what arrived was no reply or none that fits. */
  get refusal(): Refusal | null {
    return this.#refusal;
  }

  /** What the relay answered to the dot; null while it has not, or when that was no reply. */
  get dotReply(): SmtpReply | null {
    return this.#dotReply;
  }

  authenticating(): void {
    this.#phase = this.#last = "AUTH";
    this.#refusal = null;
  }

  /** A new message begins. */
  begin(): void {
    this.#phase = "MESSAGE";
    this.#last = "MAIL";
    this.#refusal = this.#dotReply = null;
  }

  sent(command: string): void {
    if (this.#phase !== "MESSAGE") return;
    const verb = command.slice(0, 4);
    this.#awaited.push(verb === "MAIL" || verb === "RCPT" || verb === "DATA" ? verb : "RSET");
  }

  /** The dot is on its way: from here on a reply is the reply to it. */
  dotSent(): void {
    this.#awaited.push("DOT");
  }

  received(raw: string): void {
    if (this.#phase !== "MESSAGE") {
      const reply = parseReply(raw);
      this.#refusal = reply !== null && reply.code >= 400 ? { stage: this.#phase, reply } : null;
      return;
    }
    const stage = this.#awaited.shift();
    if (stage === "RSET") return;
    if (stage === "DOT") this.#dotReply = parseReply(raw);
    else if (!isYes(stage, raw)) this.refuse(stage ?? this.#last, parseReply(raw));
    if (stage !== undefined) this.#last = stage;
  }

  /** Notes a refusal, unless there was one already: the first one tells why. */
  refuse(stage: Stage, reply: SmtpReply | null): void {
    this.#refusal ??= { stage, reply: reply !== null && reply.code >= 400 ? reply : null };
  }
}

const goOn = /^3\d\d(?:[ -]|$)/;
const done = /^2\d\d(?:[ -]|$)/;

/** A reply nobody asked for is never a yes: inside DATA it means the relay gave up on us, or lost count. */
function isYes(stage: Stage | undefined, raw: string): boolean {
  return stage !== undefined && (stage === "DATA" ? goOn : done).test(raw);
}
