import type { Walked } from "./walked.ts";

/** Signature, and the size, flags and colours of the screen. */
const HEADER_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Every block up to the trailer (GIF89a, sections 17 to 27). */
export function walkGif(file: Buffer): Walked {
  if (file.length < HEADER_BYTES) return null;
  const size = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
  let hasPixels = false;
  for (let at = HEADER_BYTES + tableBytes(file[10] ?? 0); ;) {
    const kind = file[at];
    if (kind === TRAILER) return hasPixels ? { ...size, end: at + 1 } : null;
    if (kind === EXTENSION) at = endOfBlocks(file, at + 2);
    else if (kind === IMAGE) {
      hasPixels = true;
      // The place and flags of the image, its own colours, and how its codes begin.
      at = endOfBlocks(file, at + 10 + tableBytes(file[at + 9] ?? 0) + 1);
    } else return null;
  }
}

/** The colours that flags announce, three bytes each. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** The end of blocks that each begin with their length. The last block has length 0. */
function endOfBlocks(file: Buffer, start: number): number {
  let at = start;
  for (let length = file[at]; length !== undefined; length = file[at]) {
    at += 1 + length;
    if (length === 0) break;
  }
  return at;
}
