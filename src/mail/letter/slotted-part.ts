import { base64Lines, textBytes } from "#mail/mime/base64-part.ts";
import { isMostlyNonAscii, partHeader, type TextType } from "#mail/mime/body-part.ts";
import { encodeQuotedPrintable } from "#mail/mime/quoted-printable.ts";
import { joinSegments, segmentsOf, type Segment } from "./slots.ts";

/** A MIME part, header and all, for one message. */
export type SlottedPart = (valueOf: (slot: number) => string) => string;

/** Lines without a slot, or the segments of one line with slots. */
type Run = string | readonly Segment[];

/** A part in which everything is encoded that does not depend on the values: plain data, made in a thread. */
export type WrittenPart = {
  readonly header: string;
  readonly isBase64: boolean;
  readonly runs: readonly Run[];
};

/**
 * Encodes a text part in which marks stand for slots (`slots.ts`). Quoted-printable encodes each line on its
 * own, so lines without a slot are encoded once. Base64 does not, so the part is made again for each message.
 */
export function writePart(type: TextType, text: string): WrittenPart {
  const isBase64 = isMostlyNonAscii(joinSegments(segmentsOf(text), () => ""));
  const runs = runsOf(text).map((run) =>
    typeof run === "string" && !isBase64 ? encodeQuotedPrintable(run) : run,
  );
  return { header: partHeader(type, isBase64), isBase64, runs };
}

/** `finish` may still change a line after its values were filled in. */
export function slottedPart(
  { header, isBase64, runs }: WrittenPart,
  finish = (line: string, _segments: readonly Segment[]): string => line,
): SlottedPart {
  const encode = isBase64 ? (line: string) => line : encodeQuotedPrintable;
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
