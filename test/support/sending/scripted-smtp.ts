import { appendFileSync } from "node:fs";
import type { Socket } from "bun";
import { smtpReader, type SmtpReader } from "./smtp-reader.ts";
import type { Behaviour, Moment, Script, ServerStage } from "./smtp-script.ts";

export { drop, reset, stall } from "./smtp-script.ts";
export type { Behaviour, Moment, Script, ServerStage } from "./smtp-script.ts";

/** `raw` is the message without dot-stuffing, as Latin-1 text so that every byte survives. */
export type Accepted = {
  seq: number;
  connection: number;
  mailFrom: string;
  rcptTo: string[];
  raw: string;
  at: number;
};

export type ScriptedSmtp = {
  readonly port: number;
  readonly url: string;
  /** Messages the server took responsibility for, recorded before the dot is answered. */
  readonly accepted: Accepted[];
  readonly connections: number;
  readonly open: number;
  /** MAIL commands seen. */
  readonly transactions: number;
  /** Every byte a connection (from 1) sent, Latin-1; only with `wire: true`. */
  wire(connection: number): string;
  /** Resolves when a stage is reached for the nth time since the start (default: the first). */
  reached(stage: ServerStage, times?: number): Promise<void>;
  stop(): void;
};

export type ScriptedOptions = {
  on?: Script;
  port?: number;
  /** Lines of the EHLO reply after the first. */
  extensions?: string[];
  /** Appends every accepted message as a line of JSON, before the dot is answered. */
  log?: string;
  /** Keep every byte received. */
  wire?: boolean;
  /** Forget accepted messages after logging them (for volume). */
  forget?: boolean;
  auth?: { user: string; pass: string };
};

type Connection = Moment & {
  reader: SmtpReader;
  chunks: string[];
  socket: Socket<Connection>;
  deaf: boolean;
  /** A reply that is still to come: those after it wait for it. */
  held: Promise<unknown> | null;
};

/** A small SMTP server on 127.0.0.1 that answers at once and does what its script says. */
export function scriptedSmtp(options: ScriptedOptions = {}): ScriptedSmtp {
  return new Server(options);
}

class Server implements ScriptedSmtp {
  readonly accepted: Accepted[] = [];
  connections = 0;
  open = 0;
  transactions = 0;
  #seq = 0;
  readonly #seen = new Map<ServerStage, number>();
  readonly #waiting: { stage: ServerStage; times: number; resolve: () => void }[] = [];
  readonly #all: Connection[] = [];
  readonly #listener;

  constructor(private readonly options: ScriptedOptions) {
    this.#listener = Bun.listen<Connection>({
      hostname: "127.0.0.1",
      port: options.port ?? 0,
      socket: {
        open: (socket) => this.#greet(socket),
        data: (socket, chunk) => this.#read(socket.data, chunk),
        close: () => void this.open--,
        error: () => {},
      },
    });
  }

  get port(): number {
    return this.#listener.port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  wire(connection: number): string {
    return this.#all[connection - 1]?.chunks.join("") ?? "";
  }

  reached(stage: ServerStage, times = 1): Promise<void> {
    if ((this.#seen.get(stage) ?? 0) >= times) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ stage, times, resolve }));
  }

  stop(): void {
    this.#listener.stop(true);
  }

  #greet(socket: Socket<Connection>): void {
    this.connections++;
    this.open++;
    const started = {
      stage: "CONNECT" as const,
      connection: this.connections,
      message: 0,
      mailFrom: "",
      rcptTo: [],
    };
    const connection: Connection = {
      ...started,
      reader: smtpReader(),
      chunks: [],
      socket,
      deaf: false,
      held: null,
    };
    socket.data = connection;
    if (this.options.wire) this.#all.push(connection);
    this.#answer(connection, "CONNECT", "220 scripted.example.com ESMTP");
  }

  #read(connection: Connection, chunk: Buffer): void {
    if (this.options.wire) connection.chunks.push(chunk.toString("latin1"));
    if (connection.deaf) return;
    connection.reader.feed(chunk);
    for (
      let item = connection.reader.next();
      item !== null && !connection.deaf;
      item = connection.reader.next()
    ) {
      if (item.kind === "command") this.#command(connection, item.line);
      else if (item.kind === "bare line end")
        this.#say(connection, { reply: "500 5.5.2 Lines end in CRLF", and: "drop" });
      else if (item.kind === "body") this.#answer(connection, "BODY", "");
      else this.#dot(connection, item.raw, item.clean);
    }
  }

  #command(connection: Connection, line: string): void {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "EHLO" || verb === "HELO") return void this.#answer(connection, "EHLO", this.#ehlo());
    if (verb === "AUTH") return void this.#answer(connection, "AUTH", this.#login(line));
    if (verb === "MAIL") return this.#mail(connection, line);
    if (verb === "RCPT") return this.#rcpt(connection, line);
    if (verb === "DATA") return this.#data(connection);
    if (verb === "RSET") {
      this.#forget(connection);
      return void this.#answer(connection, "RSET", "250 2.0.0 Forgotten");
    }
    if (verb === "NOOP") return void connection.socket.write("250 2.0.0 Fine\r\n");
    if (verb === "QUIT")
      return void this.#answer(connection, "QUIT", { reply: "221 2.0.0 Bye", and: "drop" });
    connection.socket.write("502 5.5.1 Not here\r\n");
  }

  #ehlo(): string {
    const extensions = this.options.extensions ?? ["PIPELINING", "8BITMIME", "SIZE 10485760"];
    const lines = ["scripted.example.com", ...extensions, ...(this.options.auth ? ["AUTH PLAIN"] : [])];
    return lines.map((line, index) => `250${index === lines.length - 1 ? " " : "-"}${line}`).join("\r\n");
  }

  #login(line: string): string {
    const { user, pass } = this.options.auth ?? { user: "", pass: "" };
    const expected = Buffer.from(`\0${user}\0${pass}`).toString("base64");
    return this.options.auth && line === `AUTH PLAIN ${expected}`
      ? "235 2.7.0 Welcome"
      : "535 5.7.8 Wrong user or password";
  }

  #mail(connection: Connection, line: string): void {
    if (connection.mailFrom !== "") return void connection.socket.write("503 5.5.1 Nested MAIL\r\n");
    connection.message = ++this.transactions;
    connection.mailFrom = /<(.*)>/.exec(line)?.[0] ?? "";
    if (this.#answer(connection, "MAIL", "250 2.1.0 Sender fine")) return;
    this.#forget(connection);
  }

  #rcpt(connection: Connection, line: string): void {
    if (connection.mailFrom === "") return void connection.socket.write("503 5.5.1 MAIL first\r\n");
    connection.rcptTo.push(/<(.*)>/.exec(line)?.[1] ?? "");
    if (!this.#answer(connection, "RCPT", "250 2.1.5 Recipient fine")) connection.rcptTo.pop();
  }

  #data(connection: Connection): void {
    const usual = connection.rcptTo.length === 0 ? "503 5.5.1 RCPT first" : "354 Go ahead";
    if (this.#answer(connection, "DATA", usual)) connection.reader.expectMessage();
  }

  #dot(connection: Connection, raw: Buffer, clean: boolean): void {
    const behaviour = this.#judge(connection, clean);
    const reply = typeof behaviour === "string" ? behaviour : behaviour.reply;
    const kept = typeof behaviour === "string" ? undefined : behaviour.kept;
    if (kept ?? reply?.startsWith("2")) this.#keep(connection, raw);
    this.#forget(connection);
    this.#say(connection, behaviour);
  }

  #judge(connection: Connection, clean: boolean): Behaviour {
    if (!clean) return "550 5.6.11 Bare CR or LF in the message";
    if (connection.rcptTo.length === 0) return "554 5.5.1 No recipient";
    return this.#ask(connection, "DOT") ?? "250 2.0.0 Queued";
  }

  #keep(connection: Connection, raw: Buffer): void {
    const { connection: number, mailFrom, rcptTo } = connection;
    const message = {
      seq: ++this.#seq,
      connection: number,
      mailFrom: mailFrom.slice(1, -1),
      rcptTo,
      raw: raw.toString("latin1"),
      at: Date.now(),
    };
    if (this.options.log !== undefined) appendFileSync(this.options.log, `${JSON.stringify(message)}\n`);
    if (!this.options.forget) this.accepted.push(message);
  }

  #forget(connection: Connection): void {
    connection.mailFrom = "";
    connection.rcptTo = [];
  }

  /** Does what the script says, or the usual. Returns whether it accepted. */
  #answer(connection: Connection, stage: ServerStage, usual: Behaviour): boolean {
    return this.#say(connection, this.#ask(connection, stage) ?? usual);
  }

  #ask(connection: Connection, stage: ServerStage): Behaviour | undefined {
    connection.stage = stage;
    const times = (this.#seen.get(stage) ?? 0) + 1;
    this.#seen.set(stage, times);
    for (const waiting of this.#waiting)
      if (waiting.stage === stage && waiting.times <= times) waiting.resolve();
    const rule = this.options.on?.[stage];
    return typeof rule === "function" ? rule({ ...connection, rcptTo: [...connection.rcptTo] }) : rule;
  }

  #say(connection: Connection, behaviour: Behaviour): boolean {
    const { reply, and, after }: Exclude<Behaviour, string> =
      typeof behaviour === "string" ? { reply: behaviour, and: "go on" } : behaviour;
    const act = () => {
      if (reply) connection.socket.write(`${reply}\r\n`);
      if (and === "drop") connection.socket.end();
      if (and === "reset") connection.socket.terminate();
    };
    if (and !== "go on") connection.deaf = true;
    // Replies keep their order, whatever was said meanwhile.
    if (after || connection.held) connection.held = Promise.all([connection.held, after]).then(act);
    else act();
    return and === "go on" && /^[23]/.test(reply ?? "");
  }
}
