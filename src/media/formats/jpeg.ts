import { PARTS_MAX, type Walked } from "./walked.ts";

const START = 2;
const END_OF_IMAGE = 0xd9;
const SCAN = 0xda;
/** Of a frame header: length, precision, height, width, number of components. */
const FRAME_BYTES = 8;

/** Every segment and scan up to the end of the image (ITU-T T.81, annex B). */
export function walkJpeg(file: Buffer): Walked {
  let size: { width: number; height: number } | null = null;
  let hasPixels = false;
  let at = START;
  for (let part = 0; part < PARTS_MAX; part++) {
    const marker = markerAt(file, at);
    if (marker === null) return null;
    const { code, next } = marker;
    if (code === END_OF_IMAGE) return size !== null && hasPixels ? { ...size, end: next } : null;
    if (next + 2 > file.length) return null;
    const length = file.readUInt16BE(next);
    if (length < 2 || next + length > file.length) return null;
    if (isFrame(code)) {
      if (size !== null || length < FRAME_BYTES) return null;
      size = { height: file.readUInt16BE(next + 3), width: file.readUInt16BE(next + 5) };
    }
    at = next + length;
    if (code !== SCAN) continue;
    if (size === null) return null;
    hasPixels = true;
    at = endOfScan(file, at);
  }
  return null;
}

/** A marker may have any number of fill bytes before it. */
function markerAt(file: Buffer, start: number): { code: number; next: number } | null {
  if (file[start] !== 0xff) return null;
  let at = start;
  while (file[at] === 0xff) at++;
  const code = file[at];
  // 00 is no marker; D0 to D8 and 01 belong in scans or at the beginning.
  if (code === undefined || code === 0 || code === 1 || (code >= 0xd0 && code <= 0xd8)) return null;
  return { code, next: at + 1 };
}

/** Baseline to arithmetic, without DHT (C4), JPG (C8) and DAC (CC), which are no frames. */
const isFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;

/** In a scan, FF is followed by 00 or is a restart marker; anything else ends it. */
function endOfScan(file: Buffer, start: number): number {
  let at = start;
  for (; at + 1 < file.length; at++) {
    if (file[at] !== 0xff) continue;
    const after = file[at + 1] ?? 0;
    if (after !== 0 && after !== 0xff && !(after >= 0xd0 && after <= 0xd7)) return at;
  }
  return file.length;
}
