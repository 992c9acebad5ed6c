import type { Walked } from "./walked.ts";

/** Signature, and the size, flags and colours of the screen. */
const HEADER_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Marker, place and size of a picture, and its flags. */
const PICTURE_BYTES = 10;

/**
 * Every block up to the trailer (GIF89a, sections 17 to 27). The size is that of the screen, and of the pictures where
 * they reach beyond it: programs reserve memory for them too, and show the first one where there is no screen.
 */
export function walkGif(file: Buffer): Walked {
  if (file.length < HEADER_BYTES) return null;
  let width = file.readUInt16LE(6);
  let height = file.readUInt16LE(8);
  let hasPixels = false;
  for (let at = HEADER_BYTES + tableBytes(file[10] ?? 0); ;) {
    const kind = file[at];
    if (kind === TRAILER) return hasPixels ? { width, height, end: at + 1 } : null;
    if (kind === EXTENSION) at = endOfBlocks(file, at + 2);
    else if (kind === IMAGE && at + PICTURE_BYTES <= file.length) {
      hasPixels = true;
      width = Math.max(width, file.readUInt16LE(at + 1) + file.readUInt16LE(at + 5));
      height = Math.max(height, file.readUInt16LE(at + 3) + file.readUInt16LE(at + 7));
      // Behind it its own colours, and how its codes begin.
      at = endOfBlocks(file, at + PICTURE_BYTES + tableBytes(file[at + 9] ?? 0) + 1);
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
