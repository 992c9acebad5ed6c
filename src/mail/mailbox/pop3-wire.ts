import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "#core/time/clock.ts";
import { errorCode } from "#core/errors/error-code.ts";
import { certificateWords } from "#core/text/certificate-words.ts";
import { MailboxTrouble } from "./mailbox.ts";
import { mailboxLabel, type MailboxAddress } from "./mailbox-address.ts";

/** RFC 1939 allows 512; some servers send longer greetings. */
const LINE_BYTES_MAX = 8 * 1024;
/** How long the server may be silent. */
const SILENT_MS = 60_000;

/** The name for which the certificate must be valid. RFC 6066, section 3: an IP address cannot be such a name. */
const named = (host: string) => (isIP(host) === 0 ? { host, servername: host } : { host });

const NOTHING: Uint8Array = new Uint8Array(0);

/**
 * The bytes to and from a POP3 server. Bytes are read only while somebody waits for them, so a server cannot fill
 * the memory. After the first failure every method rejects with it (`MailboxTrouble`).
 */
export class Pop3Wire {
  readonly label: string;
  readonly #host: string;
  #socket: Socket;
  #waiting: Uint8Array = NOTHING;
  #failure: MailboxTrouble | null = null;
  #onBytes = Promise.withResolvers<void>();

  constructor(
    address: MailboxAddress,
    private readonly clock: Clock,
  ) {
    const { host, port, secure } = address;
    this.label = mailboxLabel(address);
    this.#host = host;
    this.#socket = secure ? connectTls({ port, ...named(host) }) : connectPlain({ host, port });
    this.#listen();
  }

  send(line: string): void {
    if (this.#failure === null) this.#socket.write(`${line}\r\n`);
  }

  /** Everything that has arrived so far. Give the unused part back. */
  takeWaiting(): Uint8Array {
    const bytes = this.#waiting;
    this.#waiting = NOTHING;
    return bytes;
  }

  giveBack(bytes: Uint8Array): void {
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([bytes, this.#waiting]);
  }

  /** Resolves when more has arrived. The server may be silent for a minute, but not after `endMs`. */
  async more(endMs: number): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    this.#onBytes = Promise.withResolvers();
    this.#socket.resume();
    await this.#within(Math.min(SILENT_MS, endMs - this.clock.monotonicMs()), this.#onBytes.promise);
    if (this.#waiting.length === 0) this.#check();
  }

  /** The next line, without its line end. */
  async line(endMs: number): Promise<string> {
    for (;;) {
      const end = this.#waiting.indexOf(0x0a);
      if (end !== -1) {
        const text = Buffer.from(this.#waiting.subarray(0, end)).toString("latin1").replace(/\r$/, "");
        this.#waiting = this.#waiting.subarray(end + 1);
        return text;
      }
      if (this.#waiting.length > LINE_BYTES_MAX) throw this.fail("does not speak POP3");
      await this.more(endMs);
    }
  }

  /** Switches to TLS. Unencrypted bytes after the answer to STLS may come from anybody, so they are dropped. */
  async secure(): Promise<void> {
    this.#socket.removeAllListeners();
    this.#waiting = NOTHING;
    const secured = Promise.withResolvers<void>();
    this.#socket = connectTls({ socket: this.#socket, ...named(this.#host) }, secured.resolve);
    this.#listen();
    this.#socket.once("close", () => secured.resolve());
    await this.#within(SILENT_MS, secured.promise);
    this.#check();
  }

  /** Ends the connection with this reason. */
  fail(why: string, cause?: unknown): MailboxTrouble {
    this.#failure ??= new MailboxTrouble("connection", `${this.label} ${why}`, { cause });
    this.#socket.destroy();
    this.#onBytes.resolve();
    return this.#failure;
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async #within(limitMs: number, done: Promise<void>): Promise<void> {
    const cancel = this.clock.setTimer(Math.max(0, limitMs), () => this.fail("is too slow"));
    await Promise.race([done, this.#onBytes.promise]);
    cancel();
  }

  #listen(): void {
    this.#socket.on("data", (bytes: Buffer) => {
      this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
      this.#socket.pause();
      this.#onBytes.resolve();
    });
    this.#socket.on("error", (error) =>
      this.fail(`cannot be read: ${certificateWords(errorCode(error)) || error.message}`, error),
    );
    this.#socket.on("close", () => this.fail("cannot be read: the connection was lost"));
  }
}
