import { connect as connectPlain, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { ImapTransport, ImapTransportOptions, ImapTransportSocket } from "imapflow";
import { present } from "#core/present.ts";

/**
 * So much is read in one turn of the event loop. `imapflow` reads all lines of what it gets before anybody else has a
 * turn, and a line may have four characters: of the 512 KiB that a socket gives at once, that takes seconds.
 */
const PORTION_BYTES = 4 * 1024;

/** Opens connections that read in portions, and that end if the server says too much (`bytesMax`) to one command. */
export const measuredTransport = (bytesMax: number): ImapTransport => ({
  connect: ({ secure, host, port, ...options }, onConnect) =>
    new MeasuredSocket(
      secure
        ? connectTls({ host, port, ...tlsOf(options) }, onConnect)
        : connectPlain({ host, port }, onConnect),
      bytesMax,
    ),

  upgrade(socket, { host, port, ...options }, onSecure) {
    const own = present(socket instanceof MeasuredSocket ? socket : null, "socket of this transport");
    return new MeasuredSocket(
      connectTls({ socket: own.release(), host, port, ...tlsOf(options) }, onSecure),
      bytesMax,
    );
  },
});

const tlsOf = ({ servername, tls }: Pick<ImapTransportOptions, "servername" | "tls">) => ({
  ...(servername === undefined ? {} : { servername }),
  ...tls,
});

const NOTHING = Buffer.alloc(0);

class MeasuredSocket extends Duplex implements ImapTransportSocket {
  /** Has arrived, and was not passed on yet. The inner socket rests until this is empty. */
  #waiting: Buffer = NOTHING;
  #isAsked = false;
  #hasEnded = false;
  /** Since the last command was sent. */
  #received = 0;

  constructor(
    private readonly inner: Socket,
    private readonly bytesMax: number,
  ) {
    super({ allowHalfOpen: false });
    inner.on("data", this.#take);
    inner.on("end", this.#end);
    inner.on("close", this.#end);
    inner.on("error", (error) => this.destroy(error));
    inner.on("timeout", () => this.emit("timeout"));
  }

  setTimeout(ms: number): void {
    this.inner.setTimeout(ms);
  }

  setKeepAlive(isOn?: boolean, initialDelayMs?: number): void {
    this.inner.setKeepAlive(isOn, initialDelayMs);
  }

  /**
   * The inner socket, for TLS.
   * @throws if something has arrived that nobody waits for: before TLS anybody on the way could have sent it
   */
  release(): Socket {
    if (this.#waiting.length > 0) throw Object.assign(new Error("STARTTLS_INJECTION"), INJECTION);
    this.inner.off("data", this.#take);
    this.inner.off("end", this.#end);
    this.inner.off("close", this.#end);
    return this.inner;
  }

  override _read(): void {
    this.#isAsked = true;
    this.#pass();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#received = 0;
    this.inner.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.inner.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#waiting = NOTHING;
    this.inner.destroy();
    done(error);
  }

  readonly #take = (bytes: Buffer): void => {
    this.inner.pause();
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    this.#pass();
  };

  readonly #end = (): void => {
    this.#hasEnded = true;
    this.#pass();
  };

  #pass(): void {
    if (!this.#isAsked || this.destroyed) return;
    if (this.#waiting.length === 0 && !this.#hasEnded) return void this.inner.resume();
    this.#isAsked = false;
    setImmediate(() => this.#passPortion());
  }

  #passPortion(): void {
    if (this.destroyed) return;
    const portion = this.#waiting.subarray(0, PORTION_BYTES);
    this.#waiting = this.#waiting.subarray(portion.length);
    this.#received += portion.length;
    if (this.#received > this.bytesMax) this.destroy(new Error("it sends without an end"));
    else this.push(portion.length === 0 ? null : portion);
  }
}

const INJECTION = { code: "STARTTLS_INJECTION" };
