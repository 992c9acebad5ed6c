import { crc32 } from "node:zlib";
import { PARTS_MAX, type Walked } from "./walked.ts";

const SIGNATURE_BYTES = 8;
/** Of a chunk without its content: length, type, checksum. */
const AROUND_BYTES = 12;
const HEADER_BYTES = 13;

/** Every chunk up to IEND, with its checksum (PNG, third edition, section 5). */
export function walkPng(file: Buffer): Walked {
  let size: { width: number; height: number } | null = null;
  let hasPixels = false;
  let at = SIGNATURE_BYTES;
  for (let part = 0; part < PARTS_MAX && at + AROUND_BYTES <= file.length; part++) {
    const length = file.readUInt32BE(at);
    const end = at + AROUND_BYTES + length;
    if (end > file.length) return null;
    const type = file.toString("latin1", at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return null;
    const isHeader = type === "IHDR";
    if (isHeader !== (size === null) || (isHeader && length !== HEADER_BYTES)) return null;
    if (isHeader) size = { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12) };
    if (type === "IDAT") hasPixels = true;
    if (type === "IEND") return size !== null && hasPixels && length === 0 ? { ...size, end } : null;
    at = end;
  }
  return null;
}
