import { PARTS_MAX, type Walked } from "./walked.ts";

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

type Size = { readonly width: number; readonly height: number };

/** Every chunk up to the end that the file announces (RFC 9649, section 2). */
export function walkWebp(file: Buffer): Walked {
  const end = CHUNK_HEADER_BYTES + file.readUInt32LE(4);
  if (end > file.length || end % 2 === 1) return null;
  let size: Size | null = null;
  let hasPixels = false;
  let at = HEADER_BYTES;
  for (let part = 0; part < PARTS_MAX && at + CHUNK_HEADER_BYTES <= end; part++) {
    const type = file.toString("latin1", at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const content = file.subarray(at + CHUNK_HEADER_BYTES, Math.min(end, at + CHUNK_HEADER_BYTES + length));
    if (content.length < length) return null;
    size ??= sizeIn(type, content);
    // The first chunk says how large the image is.
    if (size === null) return null;
    if (type === "VP8 " || type === "VP8L" || type === "ANMF") hasPixels = true;
    at += CHUNK_HEADER_BYTES + length + (length % 2);
  }
  return size !== null && hasPixels && at === end ? { ...size, end } : null;
}

function sizeIn(type: string, content: Buffer): Size | null {
  if (type === "VP8X" && content.length >= 10)
    return { width: 1 + content.readUIntLE(4, 3), height: 1 + content.readUIntLE(7, 3) };
  if (type === "VP8L" && content.length >= 5 && content[0] === 0x2f) {
    const bits = content.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  const isLossy = type === "VP8 " && content.length >= 10;
  if (!isLossy || content.readUIntBE(3, 3) !== 0x9d012a) return null;
  return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
}
