/** What is known of a message by its header alone, however long the message is. */
import { parseMail } from "./parse-mail.ts";

/** A header that is longer is read up to here. */
export const HEAD_BYTES_MAX = 64 * 1024;
/** A subject that is longer is cut off: more of it is never shown. */
const SUBJECT_BYTES_MAX = 4 * 1024;

/** A field with its folded lines (RFC 5322, section 2.2.3). */
const SUBJECT = /^subject[ \t]*:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/im;

const [LF, CR] = [0x0a, 0x0d];

/** Where the header ends, without the empty line behind it; the length if there is no such line. */
function headEnd(bytes: Buffer): number {
  // A message may begin with the empty line: it has no header.
  if (bytes[0] === LF || (bytes[0] === CR && bytes[1] === LF)) return 0;
  const ends = ["\n\r\n", "\n\n"].map((end) => bytes.indexOf(end)).filter((at) => at !== -1);
  return Math.min(bytes.length, ...ends);
}

/** The subject of a message, of which the first `HEAD_BYTES_MAX` bytes are enough; `""` if it has none. */
export async function subjectOf(message: Uint8Array): Promise<string> {
  const start = Buffer.from(message.buffer, message.byteOffset, Math.min(message.length, HEAD_BYTES_MAX));
  const head = start.subarray(0, headEnd(start));
  // One character for each byte, so that a place in the text is a place in the bytes.
  const found = SUBJECT.exec(head.toString("latin1"));
  if (found === null) return "";
  const length = Math.min(found[0].length, SUBJECT_BYTES_MAX);
  const { subject = "" } = await parseMail(new Uint8Array(head.subarray(found.index, found.index + length)));
  return subject;
}
