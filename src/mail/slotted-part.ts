import { base64Lines, textBytes } from "./base64-part.ts";
import { isMostlyNonAscii, partHeader, type TextType } from "./body-part.ts";
import { encodeQuotedPrintable } from "./quoted-printable.ts";
import { joinSegments, segmentsOf, type Segment } from "./slots.ts";

/** A MIME part, header and all, for one message. */
export type SlottedPart = (valueOf: (slot: number) => string) => string;

/** Lines without a slot, or the segments of one with some. */
type Run = string | readonly Segment[];

/**
 * Encodes a text part in which marks stand for slots (`slots.ts`). Quoted-printable encodes each line apart from the others, so those
 * without a slot are encoded once; base64 does not, and is made for each message. `finish` has a last look at a filled-in line.
 */
export function slottedPart(
  type: TextType,
  text: string,
  finish = (line: string, _segments: readonly Segment[]): string => line,
): SlottedPart {
  const isBase64 = isMostlyNonAscii(joinSegments(segmentsOf(text), () => ""));
  const header = partHeader(type, isBase64);
  const encode = isBase64 ? (line: string) => line : encodeQuotedPrintable;
  const runs = runsOf(text).map((run) => (typeof run === "string" ? encode(run) : run));
  const filled = (run: Run, valueOf: (slot: number) => string): string =>
    typeof run === "string" ? run : encode(finish(joinSegments(run, valueOf), run));
  return (valueOf) => {
    const body = runs.map((run) => filled(run, valueOf)).join("\r\n");
    return header + (isBase64 ? base64Lines(textBytes(body)) : body);
  };
}

function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  let plain: string[] = [];
  const endPlain = (): void => {
    if (plain.length > 0) runs.push(plain.join("\n"));
    plain = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const segments = segmentsOf(line);
    if (segments.every((segment) => typeof segment === "string")) plain.push(line);
    else {
      endPlain();
      runs.push(segments);
    }
  }
  endPlain();
  return runs;
}
