/** Longer than any reply needs to be. If a reply is longer, we stop reading from the relay. */
const REPLY_CHARS_MAX = 65_536;

const CONTINUED = /^\d{3}-/;

/**
 * Splits a relay's bytes into complete replies (RFC 5321, 4.2.1), of one line or several, however the bytes arrive.
 * Text that is not ASCII is read as UTF-8.
 */
export class ReplyReader {
  /** The lines of an incomplete reply, then the part of the next line that has arrived. */
  #begun = "";
  #rest = "";

  /** The replies that `chunk` completes, in order, without their last line end. Null if a reply is too long. */
  read(chunk: Buffer): string[] | null {
    const text = this.#rest + chunk.toString("latin1");
    const replies: string[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      const line = text.slice(from, text[end - 1] === "\r" ? end - 1 : end);
      from = end + 1;
      if (CONTINUED.test(line)) this.#begun += `${line}\n`;
      else if (line.trim() !== "") {
        replies.push(decoded(this.#begun + line));
        this.#begun = "";
      }
      if (this.#begun.length > REPLY_CHARS_MAX) return null;
    }
    this.#rest = text.slice(from);
    return this.#rest.length > REPLY_CHARS_MAX ? null : replies;
  }
}

// oxlint-disable-next-line no-control-regex
const decoded = (raw: string): string =>
  /[\u0080-\u00ff]/.test(raw) ? Buffer.from(raw, "latin1").toString() : raw;
