import { present } from "#core/present.ts";

const LINE_MAX = 76;
const BREAK = "\r\n";
const SOFT_BREAK = `=${BREAK}`;

/** The text for each byte inside a line. */
const WRITTEN: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  isLiteral(byte) ? String.fromCharCode(byte) : escaped(byte),
);

/**
 * Quoted-printable of a text in UTF-8 (RFC 2045, 6.7): lines of at most 76 characters, CRLF, printable ASCII
 * only. LF and CRLF both become the hard line break, the only form of a line end that text has in mail (RFC
 * 2046, 4.1.1); a single CR becomes `=0D`. No line starts with `.` or `From `, because some relays change
 * such lines.
 */
export function encodeQuotedPrintable(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => encodeLine(line, LINE_MAX))
    .join(BREAK);
}

/**
 * The same for a text whose last line goes on in what is written behind it: it ends with a soft line break,
 * unless it is empty or ends a line itself.
 */
export function encodeOpenEnded(text: string): string {
  const lines = text.split(/\r?\n/);
  const last = lines.pop() ?? "";
  const before = lines.map((line) => encodeLine(line, LINE_MAX) + BREAK).join("");
  return last === "" ? before : before + encodeLine(last, LINE_MAX - 1) + SOFT_BREAK;
}

/**
 * A line in which every character may stay as it is; only the first one of an encoded line may need a change.
 */
const PLAIN = /^[\t -<>-~]*[!-<>-~]$/;

/** `lastMax`: for the last of the encoded lines. */
function encodeLine(line: string, lastMax: number): string {
  return PLAIN.test(line) ? breakPlain(line, lastMax) : encodeBytes(line, lastMax);
}

/** The same result as `encodeBytes`, made one encoded line at a time. */
function breakPlain(line: string, lastMax: number): string {
  let done = "";
  let rest = line;
  for (;;) {
    const isAltered = rest.startsWith(".") || rest.startsWith("From ");
    const lead = isAltered ? escaped(rest.charCodeAt(0)) : rest.slice(0, 1);
    if (lead.length + rest.length - 1 <= lastMax) return done + lead + rest.slice(1);
    const taken = LINE_MAX - lead.length;
    done += lead + rest.slice(1, taken) + SOFT_BREAK;
    rest = rest.slice(taken);
  }
}

function encodeBytes(line: string, lastMax: number): string {
  const bytes = Buffer.from(line, "utf8").toString("latin1");
  let done = "";
  let current = "";
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    const isLast = i === bytes.length - 1;
    let written = present(WRITTEN[byte], "form of a byte");
    if (isLast && isBlank(byte)) written = escaped(byte);
    if (current.length + written.length > (isLast ? lastMax : LINE_MAX - 1)) {
      done += current + SOFT_BREAK;
      current = "";
    }
    if (current === "" && isAlteredAtLineStart(bytes, i)) written = escaped(byte);
    current += written;
  }
  return done + current;
}

/** @param bytes one a character */
function isAlteredAtLineStart(bytes: string, at: number): boolean {
  return bytes.startsWith(".", at) || bytes.startsWith("From ", at);
}

function isLiteral(byte: number): boolean {
  return isBlank(byte) || (byte > 0x20 && byte < 0x7f && byte !== 0x3d);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

function escaped(byte: number): string {
  return `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
