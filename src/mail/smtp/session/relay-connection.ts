import type { Socket } from "node:net";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Clock } from "#core/time/clock.ts";
import { isLoopback } from "#core/addresses/loopback.ts";
import { parseReply, type SmtpReply } from "#core/smtp-reply.ts";
import { withoutPassword } from "#core/text/without-password.ts";
import { clearTextRefusal, connectionOptions, describeProblem } from "./connection-options.ts";
import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { SmtpFailure } from "./smtp-outcome.ts";
import type { StageLimits } from "./stage-limits.ts";
import { TimedWait } from "./timed-wait.ts";

/** The features that a relay announced in its last answer to EHLO. */
export type Announced = {
  /** RFC 2920: commands may be sent without waiting for each reply. */
  readonly pipelining: boolean;
  /** RFC 1870: the largest message that it accepts, in bytes; null if it names none. */
  readonly sizeMax: number | null;
  /** RFC 1870: it wants to know a message's size in advance. */
  readonly size: boolean;
  /** RFC 3461: it hears what a report about a message shall return. */
  readonly dsn: boolean;
};

/** No login asks for more. nodemailer answers each further question with an empty line, for as long as it is asked. */
const QUESTIONS_MAX = 10;

/** A connection that is ready: greeted, and secured and logged in as the relay's address requires. */
export type Connected = { readonly socket: Socket; readonly announced: Announced };

/**
 * Opens a connection to a relay (`relay-socket.ts`). nodemailer handles greetings, TLS and logins on it. Then our code
 * takes over the socket, writes all commands and reads all replies. nodemailer still watches for the end of the socket.
 */
export class RelayConnection {
  #stage: "CONNECT" | "AUTH" = "CONNECT";
  #refusal: SmtpReply | null = null;
  #saidHello = false;
  /** How often the relay asked for more during the login. */
  #questions = 0;
  #announced: Announced = { pipelining: false, sizeMax: null, size: false, dsn: false };
  readonly #wait: TimedWait;
  /** Made by `open`. */
  #connection: SMTPConnection | null = null;
  /** Until nodemailer has it. */
  #socket: Socket | null = null;
  #isCut = false;

  /** `ended` is called whenever the connection is over, for any reason, and maybe more than once. */
  constructor(
    private readonly relay: RelayAddress,
    clock: Clock,
    private readonly limits: StageLimits,
    private readonly ended: (why: string) => void,
  ) {
    this.#wait = new TimedWait(clock);
  }

  get encrypted(): boolean {
    return this.#connection?.secure ?? false;
  }

  get loggedIn(): boolean {
    return this.#connection?.authenticated ?? false;
  }

  /** Call it once. A failure has the relay's reply, if there was one. */
  async open(): Promise<Connected | SmtpFailure> {
    this.#wait.limit(this.limits.connectMs, () => this.#connectExpired());
    const connecting = this.#wait.until(() => {
      this.#connect().catch((error: Error) => this.#over(describeProblem(error, this.relay)));
    });
    const problem = (await connecting) ?? (await this.#authenticate());
    this.#wait.lift();
    // Public by nodemailer's own types, in spite of its name; after STARTTLS it is the TLS socket.
    // oxlint-disable-next-line no-underscore-dangle
    const socket = this.#connection?._socket;
    if (problem !== null || !socket)
      return { stage: this.#stage, reply: this.#refusal, detail: problem ?? "the connection was closed" };
    socket.removeAllListeners("data");
    return { socket, announced: this.#announced };
  }

  /** Cuts the socket at once. */
  cut(why: string): void {
    this.#wait.lift();
    this.#wait.done(why);
    this.#isCut = true;
    this.#socket?.destroy();
    this.#connection?.close();
  }

  /** nodemailer is loaded with the first connection: an idle server needs neither it nor Node's HTTP client. */
  async #connect(): Promise<void> {
    const { default: Connection } = await import("nodemailer/lib/smtp-connection");
    const { openSocket } = await import("./relay-socket.ts");
    if (this.#isCut) return;
    const begun = (socket: Socket): void => {
      this.#socket = socket;
      if (this.#isCut) socket.destroy();
    };
    await openSocket(this.relay, this.limits.connectMs, begun, {
      connected: (socket) => this.#greet(Connection, socket),
      failed: (error) => this.#over(describeProblem(error, this.relay)),
    });
  }

  /** nodemailer would try several addresses too, but for so long each that our time is over before the second. */
  #greet(Connection: typeof SMTPConnection, socket: Socket): void {
    this.#socket = null;
    // The transaction log is nodemailer's public way to see each command and reply. It masks secrets, and we store
    // none of it.
    const log = {
      debug: (entry: { tnx?: string }, line: string) => this.#heard(entry.tnx, line),
      info() {},
      warn() {},
      error() {},
    };
    const connection = new Connection({
      ...connectionOptions(this.relay, this.limits),
      connection: socket,
      logger: log,
      transactionLog: true,
    });
    this.#connection = connection;
    connection.on("error", (error) => this.#over(describeProblem(error, this.relay)));
    connection.on("end", () => this.#over("the connection was closed"));
    connection.connect((error) => this.#wait.done(error ? describeProblem(error, this.relay) : null));
  }

  async #authenticate(): Promise<string | null> {
    const { auth, host, ignoreTls } = this.relay;
    const connection = this.#connection;
    if (auth === null || connection === null) return null;
    this.#stage = "AUTH";
    this.#refusal = null;
    if (!connection.secure && !ignoreTls && !isLoopback(host)) {
      this.#refusal = clearTextRefusal;
      return "the password was not sent in clear text";
    }
    // The same as in nodemailer's own transports: a relay that does not announce AUTH, like most on loopback, is
    // used without a login.
    if (!connection.allowsAuth) return null;
    this.#limit(this.limits.authMs);
    return await this.#wait.until(() =>
      connection.login({ ...auth }, (error) =>
        this.#wait.done(error ? describeProblem(error, this.relay) : null),
      ),
    );
  }

  #heard(who: string | undefined, line: string): void {
    if (who === "client") this.#saidHello = /^(?:EHLO|HELO) /i.test(line);
    if (who !== "server") return;
    const { auth } = this.relay;
    const reply = parseReply(this.#stage === "AUTH" && auth !== null ? withoutPassword(line, auth) : line);
    this.#refusal = reply !== null && reply.code >= 400 ? reply : null;
    if (this.#saidHello) this.#announced = announcedIn(line);
    if (reply?.code === 334 && ++this.#questions > QUESTIONS_MAX)
      this.#over("the relay's login does not end");
  }

  /** Connecting and the greeting share one time limit; nodemailer's stage shows which of them was late. */
  #connectExpired(): void {
    if ((this.#connection?.stage ?? "init") === "init")
      this.#over(`no connection within ${this.limits.connectMs} ms`);
    else this.#limit(this.limits.greetingMs);
  }

  #limit(limitMs: number): void {
    this.#wait.limit(limitMs, () => this.#over(`no reply at ${this.#stage} within ${limitMs} ms`));
  }

  #over(why: string): void {
    this.ended(why);
    this.cut(why);
  }
}

/** The keywords of an answer to EHLO, one per line; an answer to HELO has none. */
function announcedIn(reply: string): Announced {
  const sizeMax = Number(/^250[- ]SIZE\s+(\d+)\s*$/im.exec(reply)?.[1] ?? 0);
  return {
    pipelining: /^250[- ]PIPELINING\s*$/im.test(reply),
    sizeMax: sizeMax > 0 ? sizeMax : null,
    size: /^250[- ]SIZE\b/im.test(reply),
    dsn: /^250[- ]DSN\s*$/im.test(reply),
  };
}
