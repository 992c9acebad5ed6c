/** Finds out from its bytes which encoding a file has (docs/decisions.md "Many at once"). */
import { isAscii } from "node:buffer";
import { accept, invalid, type Result } from "#core/errors/errors.ts";

/** As the platform's TextDecoder names them. */
export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof ENCODINGS)[number];

const SAVE_AS_UTF8 = "The file is written in an encoding that cannot be recognized: save it as CSV in UTF-8.";

/** Bytes that are no character in Windows-1252: a text with one of them has another encoding. */
const NOT_IN_WINDOWS_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d] as const;

/**
 * Looks at the pieces of a file, one after the other. Without a byte order mark the whole file counts.
 * UTF-8 that is broken in a few places is still UTF-8, and the broken rows are reported. A file that is hardly
 * ever valid UTF-8 is Windows-1252, as spreadsheets on Windows save it.
 */
export function encodingDetector() {
  const decoder = new TextDecoder("utf-8");
  let start: Buffer | null = null;
  let wide = 0;
  let broken = 0;
  let isForeign = false;

  return {
    look(piece: Buffer): void {
      start ??= Buffer.from(piece.subarray(0, 4096));
      if (isAscii(piece) && wide + broken === 0) return;
      isForeign ||= NOT_IN_WINDOWS_1252.some((byte) => piece.includes(byte));
      for (const character of decoder.decode(piece, { stream: true }).match(NOT_ASCII) ?? []) {
        if (character === "\uFFFD") broken++;
        else wide++;
      }
    },

    /** Refuses UTF-32, and what is neither UTF-8 nor Windows-1252. */
    found(): Result<Encoding> {
      const byStart = start === null ? null : encodingOfStart(start);
      if (byStart !== null) return byStart;
      if (broken === 0 || broken < wide) return accept("utf-8");
      return isForeign ? invalid(SAVE_AS_UTF8) : accept("windows-1252");
    },
  };
}

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

const utf32 = (): Result<never> => invalid(SAVE_AS_UTF8);
