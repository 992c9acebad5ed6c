/**
 * Reads CBOR (RFC 8949), as much of it as devices write for passkeys (CTAP 2.1, section 8): whole numbers, bytes, text,
 * arrays and maps that say their length, true, false and null.
 */
export type Cbor = number | boolean | null | string | Buffer | readonly Cbor[] | CborMap;
type CborMap = ReadonlyMap<Cbor, Cbor>;

/** Deeper than any device writes. */
const DEPTH_MAX = 8;

type Cursor = { readonly bytes: Buffer; at: number };

/** The first item in the bytes; undefined if it cannot be read. What follows it is not looked at. */
export function readCbor(bytes: Buffer): Cbor | undefined {
  try {
    return item({ bytes, at: 0 }, DEPTH_MAX);
  } catch (error) {
    // Reading behind the end throws the same.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws RangeError */
function item(from: Cursor, depth: number): Cbor {
  if (depth === 0) throw new RangeError("CBOR that is too deep");
  const first = from.bytes.readUInt8(from.at++);
  const kind = first >> 5;
  const low = first & 0x1f;
  if (kind === 7) return simple(low);
  const size = sizeOf(from, low);
  if (kind === 0) return size;
  if (kind === 1) return -1 - size;
  if (kind === 2) return taken(from, size);
  if (kind === 3) return taken(from, size).toString();
  if (kind === 4) return items(from, size, depth);
  if (kind === 5) return map(from, size, depth);
  return item(from, depth - 1);
}

/** Each item takes at least one byte, so a length that is too great ends behind the end. */
function items(from: Cursor, count: number, depth: number): Cbor[] {
  const found: Cbor[] = [];
  while (found.length < count) found.push(item(from, depth - 1));
  return found;
}

function map(from: Cursor, count: number, depth: number): CborMap {
  const found = new Map<Cbor, Cbor>();
  for (let n = 0; n < count; n++) found.set(item(from, depth - 1), item(from, depth - 1));
  return found;
}

/** Section 3: the low five bits are the number, or say in how many bytes it follows. */
function sizeOf(from: Cursor, low: number): number {
  if (low < 24) return low;
  const length = { 24: 1, 25: 2, 26: 4, 27: 8 }[low];
  if (length === undefined) throw new RangeError("CBOR without a length");
  const at = from.at;
  from.at += length;
  if (length === 8) return safe(from.bytes.readBigUInt64BE(at));
  return from.bytes.readUIntBE(at, length);
}

function safe(number: bigint): number {
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError("a number that is too great");
  return Number(number);
}

function taken(from: Cursor, length: number): Buffer {
  const end = from.at + length;
  if (end > from.bytes.length) throw new RangeError("bytes behind the end");
  const bytes = from.bytes.subarray(from.at, end);
  from.at = end;
  return bytes;
}

/** Section 3.3. */
function simple(low: number): boolean | null {
  if (low === 20 || low === 21) return low === 21;
  if (low === 22) return null;
  throw new RangeError("CBOR that no device writes");
}
