/** More than any reply needs; a relay that goes on beyond it is not listened to any further. */
const REPLY_CHARS_MAX = 65_536;

const continued = /^\d{3}-/;

/**
 * Cuts what a relay sends into replies (RFC 5321, 4.2.1): whole ones, of one line or several, however the bytes were split
 * on their way. Text that is not ASCII is taken for UTF-8.
 */
export class ReplyReader {
  /** The lines of a reply that goes on, then what came of the line after them. */
  #begun = "";
  #rest = "";

  /** The replies that `chunk` completes, in their order, without their last line end; null when one does not end. */
  read(chunk: Buffer): string[] | null {
    const text = this.#rest + chunk.toString("latin1");
    const replies: string[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      const line = text.slice(from, text[end - 1] === "\r" ? end - 1 : end);
      from = end + 1;
      if (continued.test(line)) this.#begun += `${line}\n`;
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
