import type { Clock } from "#core/time/clock.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { DotBlock } from "./dot-block.ts";
import { MailboxTrouble } from "./mailbox.ts";
import type { MailboxAddress } from "./mailbox-address.ts";
import { Pop3Wire } from "./pop3-wire.ts";

/** No answer is read beyond this: no mail and no list of mails is that long. */
const BLOCK_BYTES_MAX = 128 * 1024 * 1024;
/** More may arrive at once. */
const PIECE_BYTES = 64 * 1024;
/** The time limit for one whole answer. */
const ANSWER_MS = 15 * 60_000;

/** The server said `-ERR`. The connection stays open. */
export class Pop3Refusal extends MailboxTrouble {}

/** One connection to a POP3 server, one command at a time. Every method rejects with a `MailboxTrouble`. */
export class Pop3Connection {
  readonly #wire: Pop3Wire;

  constructor(
    address: MailboxAddress,
    private readonly clock: Clock,
  ) {
    this.#wire = new Pop3Wire(address, clock);
  }

  greeting(): Promise<string> {
    return this.#status(this.#endMs());
  }

  /** The answer without `+OK`. */
  command(line: string): Promise<string> {
    this.#wire.send(line);
    return this.#status(this.#endMs());
  }

  /** The lines of the answer to a command. Keeps the first `bytesMax` bytes. */
  async block(line: string, bytesMax: number): Promise<Uint8Array> {
    const wire = this.#wire;
    wire.send(line);
    const endMs = this.#endMs();
    await this.#status(endMs);
    const block = new DotBlock(bytesMax);
    for (;;) {
      if (await fed(block, wire)) return block.text();
      if (block.bytes > BLOCK_BYTES_MAX) throw wire.fail("sends without an end");
      await wire.more(endMs);
    }
  }

  /** Switches the connection to TLS, after STLS. */
  secure(): Promise<void> {
    return this.#wire.secure();
  }

  cut(): void {
    this.#wire.fail("is closed");
  }

  #endMs(): number {
    return this.clock.monotonicMs() + ANSWER_MS;
  }

  async #status(endMs: number): Promise<string> {
    const text = await this.#wire.line(endMs);
    if (/^\+OK(?: |$)/i.test(text)) return text.slice(4);
    if (/^-ERR(?: |$)/i.test(text))
      throw new Pop3Refusal("connection", `${this.#wire.label} says: ${text.slice(5)}`);
    throw this.#wire.fail("does not speak POP3");
  }
}

/** Hands over what has arrived, with others in between. Returns whether the answer is complete. */
async function fed(block: DotBlock, wire: Pop3Wire): Promise<boolean> {
  const arrived = wire.takeWaiting();
  for (let to = Math.min(PIECE_BYTES, arrived.length), from = 0; from < arrived.length;) {
    const rest = block.feed(arrived.subarray(from, to));
    if (rest !== null) {
      wire.giveBack(arrived.subarray(to - rest.length));
      return true;
    }
    [from, to] = [to, Math.min(to + PIECE_BYTES, arrived.length)];
    if (from < arrived.length) await nextLoopTurn();
  }
  return false;
}
