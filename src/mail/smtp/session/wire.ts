import type { Socket } from "node:net";
import type { Ascii } from "#mail/mime/ascii.ts";
import { ReplyReader } from "./reply-reader.ts";

/** Called for each reply, in order, and when a reply is too long. */
type Heard = { reply(raw: string): void; endless(): void };

/** The two directions of an open connection: commands and messages out, replies in. It does not interpret them. */
export class Wire {
  readonly #reader = new ReplyReader();
  /** Text that is written together with the next bytes. */
  #kept = "";

  constructor(
    private readonly socket: Socket,
    heard: Heard,
  ) {
    socket.on("data", (chunk: Buffer) => {
      const replies = this.#reader.read(chunk);
      if (replies === null) return heard.endless();
      for (const reply of replies) heard.reply(reply);
    });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable;
  }

  write(text: string): void {
    const written = this.#kept + text;
    this.#kept = "";
    if (written !== "") this.socket.write(written, "latin1");
  }

  /** Writes `text` together with the next write, at the latest at the end of this turn of the event loop. */
  writeSoon(text: string): void {
    this.#kept = text;
    setImmediate(() => this.write(""));
  }

  /** `left` is called when all bytes have left our own buffers. Do not change the bytes before that. */
  writeContent(content: Ascii, left: () => void): void {
    if (typeof content === "string") this.socket.write(content, "latin1");
    else this.socket.write(content);
    if (this.socket.writableNeedDrain) this.socket.once("drain", left);
    else left();
  }

  /** Drops the text of `writeSoon` that was not written yet. */
  dropKept(): void {
    this.#kept = "";
  }
}
