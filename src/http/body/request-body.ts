import { isUtf8 } from "node:buffer";
import type { Clock } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import { KeptBytes } from "#core/kept-bytes.ts";
import { BodyRooms, type Place } from "./body-room.ts";
import { Patience } from "./patience.ts";
import { RefusedBodies } from "./refused-bodies.ts";

/** Larger bodies get 413 before they are buffered (docs/decisions.md "HTTP"). */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * A body is given up if no byte of it arrives for this long, or if all of it takes longer than `TOTAL_MS`.
 */
const STALL_MS = 24_000;
const TOTAL_MS = 120_000;
/** A long body waits for this long until others leave room (`body-room.ts`): less than a connection may be idle. */
const ROOM_MS = 60_000;
/** A file has this long instead. */
const UPLOAD_TOTAL_MS = 6 * 60 * 60_000;

/**
 * A body up to this size is read in one piece, which costs less than reading it piece by piece. All of it must
 * arrive within `STALL_MS`.
 */
const SHORT_BYTES = 16 * 1024;

/**
 * The codings that change a body (RFC 9110, 8.4.1, and the registry). Some clients write the letters here that they use
 * (`utf-8`), and their bodies are as they should be.
 */
const COMPRESSED = /(?<![^,\s])(?:x-)?(?:gzip|compress|deflate|br|zstd)(?![^,\s])/i;

/** At most this much of an unread body is skipped so that the connection can be used again. */
const PASSED_OVER_BYTES_MAX = 64 * 1024;
/** A refused body of at most this length is received to its end: see `receiveRest`. */
const REFUSED_BYTES_MAX = 64 * 1024 * 1024;
/**
 * The same for one that nothing asked for, since its key, route or method is wrong, and for one that does not say its
 * length. No JSON may be longer.
 */
const UNASKED_BYTES_MAX = 16 * 1024 * 1024;
/** Who sends nothing for this long waits for the answer, and gets it. */
const REFUSED_STALL_MS = 2_000;

/**
 * The client went away before its request was complete. Nobody waits for an answer, and nothing failed on the
 * server.
 */
export class ClientGone extends Error {
  constructor(cause: unknown) {
    super("The client closed the connection before its request was whole.", { cause });
    this.name = "ClientGone";
  }
}

export type BodyText = {
  readonly text: string;
  /** Otherwise a U+FFFD stands for each letter that could not be read; or it was UTF-16. */
  readonly isUtf8: boolean;
};

/** What the bodies of a server share. */
export type BodyParts = {
  readonly clock: Clock;
  /** Limits how long a body may take. */
  readonly patience: Patience;
  readonly refusedBodies: RefusedBodies;
  readonly bodyRooms: BodyRooms;
};

export const bodyParts = (clock: Clock): BodyParts => ({
  clock,
  patience: new Patience(clock),
  refusedBodies: new RefusedBodies(),
  bodyRooms: new BodyRooms(),
});

/** The body of one request. It can be read once, within limits of size, memory and time. */
export class RequestBody {
  /** The length the client announced: null if it sends no body, Infinity if it announced none. */
  readonly #declaredBytes: number | null;
  /** The route asked for it. */
  #isWanted = false;
  #holder: string | null = null;
  #place: Place | null = null;
  /** How long it waited for room: that is not the client's fault. */
  #waitedMs = 0;
  #isWhole = false;
  #reader: ReturnType<typeof readerOf>;
  /** What came in pieces so far. */
  #bytesInPieces = 0;

  constructor(
    private readonly request: Request,
    private readonly parts: BodyParts,
  ) {
    this.#declaredBytes = declaredBytes(request.headers);
  }

  /** As the client says it; empty if it says nothing. */
  get mediaType(): string {
    return this.request.headers.get("content-type") ?? "";
  }

  /**
   * The body as text. UTF-16 is read as such, so that JSON in it is refused like all that is not UTF-8, and does not
   * count as `{}`.
   * @throws AppError PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, VALIDATION_ERROR if it is compressed; ClientGone
   */
  async text(bytesMax = BODY_BYTES_MAX): Promise<BodyText> {
    const bytes = await this.bytes(bytesMax);
    const utf16 = utf16Of(bytes);
    return {
      text: new TextDecoder(utf16 ?? "utf-8").decode(bytes),
      isUtf8: utf16 === null && isUtf8(bytes),
    };
  }

  /** @throws as `text` */
  async bytes(bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#isWanted = true;
    this.#requireUncompressed();
    if (this.#isShort(bytesMax)) {
      const whole = await this.#within(STALL_MS, this.request.arrayBuffer());
      this.#isWhole = true;
      return new Uint8Array(whole);
    }
    const place = this.parts.bodyRooms.place(this.#holder);
    this.#place = place;
    const kept = new KeptBytes(bytesMax);
    let size = 0;
    let placed = 0;
    for await (const piece of this.#pieces()) {
      size += piece.byteLength;
      if (size > bytesMax) throw tooLarge(bytesMax);
      kept.add(piece);
      // It may be short all the same, and only did not say so.
      if (size <= SHORT_BYTES) continue;
      const room = place.take(size - placed);
      placed = size;
      if (room !== null) await this.#waitFor(room);
    }
    this.#isWhole = true;
    return kept.bytes();
  }

  /**
   * Its sender has a key, is signed in, or knows a secret address. Say so before the body is read.
   * @param holder the workspace, or the person where there is none: their bodies share room in memory
   */
  comesFrom(holder: string): void {
    this.#holder = holder;
  }

  /** Call it once nothing of the body is needed any more. */
  release(): void {
    this.#place?.leave();
  }

  /** @throws AppError REQUEST_TIMEOUT */
  async #waitFor(room: Promise<void>): Promise<void> {
    const begunMs = this.parts.clock.monotonicMs();
    await this.parts.patience.within(ROOM_MS, room, { ...ORDINARY, tooLong: waitedTooLong });
    this.#waitedMs += this.parts.clock.monotonicMs() - begunMs;
  }

  /**
   * Receives the rest of a body that is refused, and keeps nothing of it. nginx and many clients write all of a
   * body before they read the answer. If the connection were closed meanwhile, they would tell of a broken connection
   * (nginx: 502), and never why the body was refused.
   */
  async receiveRest(): Promise<void> {
    const bytesMax = this.#isWanted ? REFUSED_BYTES_MAX : UNASKED_BYTES_MAX;
    const bytes = this.#declaredBytes ?? 0;
    if (this.#isWhole || bytes === 0 || (bytes > bytesMax && bytes < Infinity)) return;
    if (bytes <= PASSED_OVER_BYTES_MAX) return await this.#passOver();
    await this.parts.refusedBodies.receive(() => this.#passOver());
  }

  async #passOver(): Promise<void> {
    try {
      for await (const _ of this.#pieces(TOTAL_MS, REFUSED_STALL_MS))
        if (this.#declaredBytes === Infinity && this.#bytesInPieces > UNASKED_BYTES_MAX) return;
      // Bun hands out no body of a GET. It skips a short one by itself, as after a success.
      this.#isWhole = this.#reader !== undefined || (this.#declaredBytes ?? 0) <= PASSED_OVER_BYTES_MAX;
    } catch {
      // The client went away, or was too slow: then the connection is closed after all.
    }
  }

  /**
   * Whether the connection must be closed after the answer. Otherwise the server would go on receiving a body
   * that nobody reads, for as long as the client likes. A short unread body after a success is skipped
   * instead: clients send an empty object where no body is needed.
   */
  mustCloseBehind(status: number): boolean {
    if (this.#declaredBytes === null || this.#isWhole) return false;
    return status >= 400 || this.#declaredBytes > PASSED_OVER_BYTES_MAX;
  }

  /**
   * Compressed JSON would be unreadable, and on most routes that counts as `{}`: an opt-out in it would be lost without
   * a word.
   * @throws AppError VALIDATION_ERROR
   */
  #requireUncompressed(): void {
    const codings = this.request.headers.get("content-encoding");
    if (codings === null || !COMPRESSED.test(codings)) return;
    throw new AppError(
      "VALIDATION_ERROR",
      "The body is compressed. Send it as it is, without `Content-Encoding`.",
    );
  }

  /** @throws AppError PAYLOAD_TOO_LARGE */
  #isShort(bytesMax: number): boolean {
    const bytes = this.#declaredBytes ?? 0;
    if (bytes > bytesMax && bytes < Infinity) throw tooLarge(bytesMax);
    return bytes <= SHORT_BYTES;
  }

  /**
   * The body piece by piece, without a limit of size, for a reader that keeps none of it in memory. It may take
   * `UPLOAD_TOTAL_MS`, without a longer pause than any other.
   * @throws AppError REQUEST_TIMEOUT, VALIDATION_ERROR if it is compressed; ClientGone
   */
  async *upload(): AsyncGenerator<Uint8Array> {
    this.#isWanted = true;
    this.#requireUncompressed();
    yield* this.#pieces(UPLOAD_TOTAL_MS);
    this.#isWhole = true;
  }

  async *#pieces(totalMs = TOTAL_MS, stallMs = STALL_MS): AsyncGenerator<Uint8Array> {
    const reader = (this.#reader ??= readerOf(this.request));
    if (reader === undefined) return;
    const endMs = this.parts.clock.monotonicMs() + totalMs;
    for (;;) {
      const leftMs = endMs + this.#waitedMs - this.parts.clock.monotonicMs();
      const { done, value } = await this.#within(Math.min(stallMs, leftMs), reader.read(), totalMs);
      if (done) return;
      this.#bytesInPieces += value.byteLength;
      yield value;
    }
  }

  /** @throws AppError REQUEST_TIMEOUT; ClientGone, the only reason for which reading fails */
  #within<T>(limitMs: number, reading: Promise<T>, totalMs = TOTAL_MS): Promise<T> {
    return this.parts.patience.within(limitMs, reading, totalMs === TOTAL_MS ? ORDINARY : endsOf(totalMs));
  }
}

const readerOf = (request: Request) => request.body?.getReader();

const endsOf = (totalMs: number) => ({
  tooLong: () => tooSlow(totalMs),
  failed: (cause: unknown) => new ClientGone(cause),
});

const ORDINARY = endsOf(TOTAL_MS);

/**
 * Programs of Windows write files in UTF-16. They begin with a byte order mark; without one, the first character of JSON
 * is ASCII, so one of its two bytes is NUL.
 */
function utf16Of([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (first === undefined || second === undefined) return null;
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) return "utf-16be";
  return null;
}

function declaredBytes(headers: Headers): number | null {
  if (headers.has("transfer-encoding")) return Infinity;
  const length = headers.get("content-length");
  return length === null || length === "0" ? null : Number(length);
}

function tooLarge(bytesMax: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${bytesMax} bytes: send less at once.`);
}

function waitedTooLong(): AppError {
  return new AppError(
    "REQUEST_TIMEOUT",
    `Too many long requests came at once: this one waited for ${ROOM_MS / 1000} seconds. Send fewer at once.`,
  );
}

function tooSlow(totalMs: number): AppError {
  return new AppError(
    "REQUEST_TIMEOUT",
    `The body came too slowly: no pause may be longer than ${STALL_MS / 1000} seconds, and all of it has ${totalMs / 60_000} minutes.`,
  );
}
