import { Readable } from "node:stream";

type Listener = {
  /** The relay accepted DATA; the message's bytes follow. */
  begun(): void;
  /** Every byte but the dot was handed to the socket. */
  written(): void;
};

/**
 * A message whose end is held back: piped, it writes all its bytes and leaves the destination open.
 * The SMTP client writes the final dot when the destination ends, and nothing but `release` ends it.
 * The destination must turn one write into one chunk at once, as nodemailer's dot-stuffing stream does.
 */
export class HeldBody extends Readable {
  #destination: NodeJS.WritableStream | null = null;

  constructor(
    private readonly message: Buffer,
    private readonly listener: Listener,
  ) {
    super({ read() {} });
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    this.listener.begun();
    if (this.destroyed) return destination;
    this.#destination = destination;
    if (this.message.length === 0) this.listener.written();
    else {
      // The socket listens already, so it has the chunk when this listener is called.
      destination.once("data", () => this.listener.written());
      destination.write(this.message);
    }
    return destination;
  }

  /** Lets the dot go out. Does nothing once the body was destroyed. */
  release(): void {
    if (!this.destroyed) this.#destination?.end();
  }
}
