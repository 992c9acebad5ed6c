import type { Ascii } from "#mail/mime/ascii.ts";
import type { Memory } from "./messages.ts";

/** A message in memory that the thread can read. */
export type Lying = { readonly memory: number; readonly bytes: Buffer; readonly length: number };

/** The size of a piece is a multiple of this, so that one fits most messages of a mailing. */
const STEP_BYTES = 16 * 1024;
/** Larger pieces are not reused, and no more than this is kept in total. */
const KEPT_BYTES_MAX = 256 * 1024;
const KEPT_MAX = 64;

/**
 * Memory in which messages are handed to a thread. A piece is reused when the relay has accepted its message. After
 * any other end, bytes of it may still be on their way to the socket, so it is left to the garbage collector.
 */
export class SharedMemory {
  readonly #kept: Lying[] = [];
  #last = 0;

  /** `shared` and `forgotten` are sent to the thread before any later order. */
  constructor(
    private readonly shared: (memory: Memory) => void,
    private readonly forgotten: (memory: number) => void,
  ) {}

  /** Copies a message into a piece. */
  put(message: Ascii): Lying {
    const { length } = message;
    const { memory, bytes } = this.#kept.pop() ?? this.#share(length);
    if (bytes.length < length) {
      this.forgotten(memory);
      return this.#write(this.#share(length), message);
    }
    return this.#write({ memory, bytes, length }, message);
  }

  /** Nobody reads the piece any more. */
  giveBack(lying: Lying): void {
    if (this.#kept.length < KEPT_MAX && lying.bytes.length <= KEPT_BYTES_MAX) this.#kept.push(lying);
    else this.forget(lying);
  }

  /** The piece is not used again. */
  forget({ memory }: Lying): void {
    this.forgotten(memory);
  }

  #share(length: number): Lying {
    const bytes = new SharedArrayBuffer(Math.ceil((length + 1) / STEP_BYTES) * STEP_BYTES);
    const memory = ++this.#last;
    this.shared({ memory, bytes });
    return { memory, bytes: Buffer.from(bytes), length };
  }

  #write(lying: Lying, message: Ascii): Lying {
    if (typeof message === "string") lying.bytes.write(message, 0, "latin1");
    else lying.bytes.set(message);
    return lying;
  }
}
