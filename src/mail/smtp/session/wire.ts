import type { Socket } from "node:net";
import type { Clock, Instant } from "#core/time/clock.ts";
import type { Ascii } from "#mail/mime/ascii.ts";
import { ReplyReader } from "./reply-reader.ts";

/** Called for each reply, in order, and when a reply is too long. */
type Heard = { reply(raw: string): void; endless(): void };

/**
 * If nothing was read for so long, the process may have been stopped meanwhile, or the machine slept. No turn of the
 * event loop lasts so long.
 */
const OLD_AFTER_MS = 100;

/** The two directions of an open connection: commands and messages out, replies in. It does not interpret them. */
export class Wire {
  readonly #reader = new ReplyReader();
  /** Text that is written together with the next bytes. */
  #kept = "";
  /** What has arrived is read first: until then, everything that is written is kept. */
  #isReadingFirst = false;
  /** When something was read last, by both clocks: one of them stands still while the machine sleeps. */
  #readAt: Instant = 0;
  #readMs = 0;

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
    heard: Heard,
  ) {
    this.#noteReading();
    socket.on("data", (chunk: Buffer) => {
      this.#noteReading();
      const replies = this.#reader.read(chunk);
      if (replies === null) return heard.endless();
      for (const reply of replies) heard.reply(reply);
    });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable;
  }

  /** True: the text of `writeSoon` was not written yet, not even in part. */
  get isKeeping(): boolean {
    return this.#kept !== "";
  }

  write(text: string): void {
    const isOfDot = this.isKeeping;
    this.#kept += text;
    if (isOfDot) this.#writeDot();
    else this.#writeKept();
  }

  /**
   * Writes `text` together with the next write, at the latest at the end of this turn of the event loop. If nothing
   * was read for a while, what has arrived is read first: then the owner hears a late reply, or the end of the
   * connection, while the text is still kept, and can drop it.
   */
  writeSoon(text: string): void {
    this.#kept = text;
    setImmediate(() => this.#writeDot());
  }

  /** `left` is called when all bytes have left our own buffers. Do not change the bytes before that. */
  writeContent(content: Ascii, left: () => void): void {
    if (typeof content === "string") this.socket.write(content, "latin1");
    else this.socket.write(content);
    if (this.socket.writableNeedDrain) this.socket.once("drain", left);
    else left();
  }

  /** Drops the text of `writeSoon` that was not written yet. False: it was written, or there was none. */
  dropKept(): boolean {
    const { isKeeping } = this;
    this.#kept = "";
    return isKeeping;
  }

  /** The process may be stopped at any moment, so this is asked right before the text is written. */
  #writeDot(): void {
    if (!this.#isOld) return this.#writeKept();
    if (this.#isReadingFirst) return;
    this.#isReadingFirst = true;
    // The event loop reads sockets between the two.
    setImmediate(() => setImmediate(() => this.#writeKept()));
  }

  #writeKept(): void {
    const written = this.#kept;
    this.#kept = "";
    this.#isReadingFirst = false;
    if (written !== "") this.socket.write(written, "latin1");
  }

  #noteReading(): void {
    this.#readAt = this.clock.now();
    this.#readMs = this.clock.monotonicMs();
  }

  get #isOld(): boolean {
    const passedMs = this.clock.monotonicMs() - this.#readMs;
    return passedMs > OLD_AFTER_MS || Math.abs(this.clock.now() - this.#readAt) > OLD_AFTER_MS;
  }
}
