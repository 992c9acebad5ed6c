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
  if (!text.includes("\n")) return encodeLine(text, LINE_MAX);
  let encoded = "";
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    encoded += encodeLine(text.slice(start, text[end - 1] === "\r" ? end - 1 : end), LINE_MAX) + BREAK;
    start = end + 1;
  }
  return encoded + encodeLine(text.slice(start), LINE_MAX);
}

/**
 * The same for a text whose last line continues in the text that follows: it ends with a soft line break,
 * unless it is empty or already ends with a line break.
 */
export function encodeOpenEnded(text: string): string {
  if (text !== "" && !text.includes("\n")) return encodeLine(text, LINE_MAX - 1) + SOFT_BREAK;
  const lines = text.split(/\r?\n/);
  const last = lines.pop() ?? "";
  const before = lines.map((line) => encodeLine(line, LINE_MAX) + BREAK).join("");
  return last === "" ? before : before + encodeLine(last, LINE_MAX - 1) + SOFT_BREAK;
}

/**
 * A line in which every character may stay as it is; only the first one of an encoded line may need a change.
 */
const PLAIN = /^[\t -<>-~]*[!-<>-~]$/;

/** `lastMax`: the maximum length of the last encoded line. */
function encodeLine(line: string, lastMax: number): string {
  return PLAIN.test(line) ? breakPlain(line, lastMax) : encodeBytes(line, lastMax);
}

/** Breaks a line without characters that must be escaped, one encoded line at a time. */
function breakPlain(line: string, lastMax: number): string {
  return broken(line, lastMax, asItIs);
}

const asItIs = (at: number): number => at;

/** Printable characters, of which only `=` must be escaped. It is in nearly every line of HTML. */
const PRINTABLE = /^[\t -~]*$/;
const ESCAPED = /[^\t -<>-~]/g;

const escapedBytes = (line: string): string =>
  Buffer.from(line, "utf8")
    .toString("latin1")
    .replace(ESCAPED, (byte) => present(WRITTEN[byte.charCodeAt(0)], "form of a byte"));

/** Encodes any line: its bytes are escaped first, and an escape is never cut. */
function encodeBytes(line: string, lastMax: number): string {
  const whole = PRINTABLE.test(line) ? line.replaceAll("=", "=3D") : escapedBytes(line);
  const last = whole.charCodeAt(whole.length - 1);
  return broken(isBlank(last) ? whole.slice(0, -1) + escaped(last) : whole, lastMax, beforeEscape);
}

/** An escape that would be cut is moved to the next line. */
function beforeEscape(at: number, text: string): number {
  if (text.charCodeAt(at - 1) === ESCAPE) return at - 1;
  return text.charCodeAt(at - 2) === ESCAPE ? at - 2 : at;
}

/**
 * Breaks `text`; each `=` in it begins an escape. `cutAt`: the last place up to a given one where it may be cut. Each
 * turn looks only at what may stand on one line: to build the whole rest anew for each line takes quadratic time.
 */
function broken(text: string, lastMax: number, cutAt: (at: number, text: string) => number): string {
  let done = "";
  let start = 0;
  for (;;) {
    const ahead = text.slice(start, start + LINE_MAX + 1);
    const line = isAltered(ahead) ? escaped(ahead.charCodeAt(0)) + ahead.slice(1) : ahead;
    const added = line.length - ahead.length;
    if (text.length - start + added <= lastMax) return done + line;
    const taken = cutAt(LINE_MAX - 1, line);
    done += line.slice(0, taken) + SOFT_BREAK;
    start += taken - added;
  }
}

/** Whether the first character must be escaped: some relays change lines that begin in this way. */
function isAltered(line: string): boolean {
  const first = line.charCodeAt(0);
  if (first === DOT) return true;
  return first === LETTER_F && (line.startsWith("From ") || line === "From=20");
}

const [ESCAPE, DOT, LETTER_F] = [0x3d, 0x2e, 0x46];

function isLiteral(byte: number): boolean {
  return isBlank(byte) || (byte > 0x20 && byte < 0x7f && byte !== 0x3d);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

function escaped(byte: number): string {
  return `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
