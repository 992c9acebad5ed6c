/**
 * Which encoding a file has: found out from its bytes, or named by who imports it (docs/decisions.md "Many at once").
 */
import { isAscii } from "node:buffer";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";

/** As the Encoding Standard of the WHATWG names them. The first four are recognized; all can be named. */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "iso-8859-2",
  "iso-8859-5",
  "iso-8859-7",
  "iso-8859-13",
  "iso-8859-15",
  "iso-8859-16",
  "ibm866",
  "koi8-r",
  "koi8-u",
  "macintosh",
  "shift_jis",
  "euc-jp",
  "euc-kr",
  "gb18030",
  "big5",
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** By any name that the standard knows, in any case: `cp1250`, `latin1`. */
export function parseEncoding(name: string): Result<Encoding> {
  const known = standardName(name);
  const encoding = ENCODINGS.find((each) => each === known);
  return encoding === undefined
    ? invalid(`\`encoding\` must be one of ${ENCODINGS.join(", ")}; this is ${quoted(name)}.`)
    : accept(encoding);
}

function standardName(name: string): string | null {
  try {
    const { encoding }: { encoding: string } = new TextDecoder(name as Bun.Encoding);
    return encoding === "gbk" ? "gb18030" : encoding;
  } catch {
    return null;
  }
}

const NAME_IT =
  "`encoding`: the file has one that cannot be recognized. Name it (--encoding), such as windows-1250, or save the file as CSV in UTF-8.";

/** Bytes that are no character in Windows-1252: a text with one of them has another encoding. */
const NOT_IN_WINDOWS_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d] as const;

/**
 * As Windows-1252, what no language writes: four characters in a row that are not ASCII, as Cyrillic, Greek, Hebrew,
 * Arabic and Chinese would be read; two signs in a row; or a sign at the end of a word or in it, as Polish `ł` and `ą`
 * would be. People do write one sign twice (`§§`, `´´`), prices (`GBP£20`) and `cm³`.
 */
const NO_WORD =
  /([\xa1-\xff])(?!\1{3})[\xa1-\xff]{3}|([\xa2-\xaa\xac-\xba\xbc-\xbe])(?!\2)[\xa2-\xaa\xac-\xba\xbc-\xbe]|[a-z\xc0-\xff]{2}(?:[\xa3\xa5](?!\d)|(?<!\b[cdkm]m)\xb3|[\xaf\xb9\xbc\xbe\xbf])/giu;
const NOT_ASCII_RUN = /[\x83-\xff]+/gu;
/** Nearly all runs are fine in Windows-1252: more than one in this many is not by mistake. */
const RUNS_A_MISTAKE = 5;

/**
 * Looks at the pieces of a file, one after the other. Without a byte order mark the whole file counts.
 * UTF-8 that is broken in a few places is still UTF-8, and the broken rows are reported. A file that is hardly
 * ever valid UTF-8 is Windows-1252, as spreadsheets on Windows save it, if its words can be words then.
 */
export function encodingDetector() {
  const decoder = new TextDecoder("utf-8");
  let start: Buffer | null = null;
  let isAllAscii = true;
  let wide = 0;
  let broken = 0;
  let isForeign = false;
  let runs = 0;
  let noWords = 0;

  return {
    look(piece: Buffer): void {
      start ??= Buffer.from(piece.subarray(0, 4096));
      isAllAscii &&= isAscii(piece);
      if (isAllAscii) return;
      isForeign ||= NOT_IN_WINDOWS_1252.some((byte) => piece.includes(byte));
      for (const character of decoder.decode(piece, { stream: true }).match(NOT_ASCII) ?? []) {
        if (character === "\uFFFD") broken++;
        else wide++;
      }
      if (broken === 0) return;
      const text = piece.toString("latin1");
      runs += countOf(text, NOT_ASCII_RUN);
      noWords += countOf(text, NO_WORD);
    },

    /** Refuses UTF-32, and what seems to be neither UTF-8 nor Windows-1252. */
    found(): Result<Encoding> {
      const byStart = start === null ? null : encodingOfStart(start);
      if (byStart !== null) return byStart;
      if (broken === 0 || broken < wide) return accept("utf-8");
      const isOther = isForeign || noWords * RUNS_A_MISTAKE > runs;
      return isOther ? invalid(NAME_IT) : accept("windows-1252");
    },
  };
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const NOT_ASCII = /[^\0-\x7f]/gu;

/** From a byte order mark, or from the places of the zero bytes: in UTF-16 every ASCII letter has one. */
function encodingOfStart(start: Buffer): Result<Encoding> | null {
  const [first, second, third, fourth] = start;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? utf32() : accept("utf-16le");
  if (first === 0xfe && second === 0xff) return accept("utf-16be");
  if (!start.subarray(0, 8).includes(0)) return null;
  const zeros = [0, 0, 0, 0];
  start.forEach((byte, i) => {
    if (byte === 0) zeros[i % 4] = (zeros[i % 4] ?? 0) + 1;
  });
  const most = start.length / 8;
  const [a = 0, b = 0, c = 0, d = 0] = zeros;
  if ([a, b, c, d].filter((count) => count > most).length > 2) return utf32();
  if (b > most && d > most) return accept("utf-16le");
  return a > most && c > most ? accept("utf-16be") : null;
}

const utf32 = (): Result<never> => invalid("The file is in UTF-32: save it as CSV in UTF-8.");
