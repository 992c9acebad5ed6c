import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import { KeptBytes } from "#core/kept-bytes.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { clientCounts } from "./client-counts.ts";

/** The largest message that is accepted. */
const MESSAGE_BYTES_MAX = 1024 * 1024;
/**
 * `smtp-server` cuts a message at each line that begins with a dot, and each piece costs a turn of the event loop. A
 * message of nothing else has 350,000, which take 15 s. No report has 20,000 such lines in 1 MiB, not even one that
 * returns a table of dots.
 */
const PIECES_MAX = 20_000;
/**
 * The longest command. RFC 3461, section 4.2, has the longest that one may need (512 bytes, and 500 more). `smtp-server`
 * reads a hundred in one turn, and the parameters of a long one take their time.
 */
const COMMAND_BYTES_MAX = 2 * 1024;
const CLIENTS_MAX = 100;
/** Connections from one address (from a /64 in IPv6). */
const CLIENT_CONNECTIONS_MAX = 10;
const RECIPIENTS_MAX = 50;
/** Messages on one connection, accepted or not; for more, the client must connect again. */
const MESSAGES_MAX = 100;
const RECIPIENTS_REFUSED_MAX = 20;
/** A connection is ended after this long without a byte. */
const IDLE_MS = 60_000;
/** The longest life of a connection: sending a byte now and then does not keep it open. */
const CONNECTION_MS = 10 * 60_000;
const GRACE_MS = 10_000;

/** Decides which mail is accepted, and stores it. */
export type InboundPost = {
  /** Whether mail to an address is accepted. Rejects if that cannot be determined now. */
  takes(address: string): Promise<boolean>;
  /** Resolves when the mail, or its effect, is durable. Rejects if it cannot be stored now. */
  take(mail: { readonly raw: Uint8Array; readonly recipients: readonly string[] }): Promise<void>;
};

/** A certificate and its key, as PEM. */
export type InboundTls = { readonly cert: string; readonly key: string };

type Parts = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The name that the server gives itself. */
  readonly name: string;
  /** Null: STARTTLS is not offered. */
  readonly tls: InboundTls | null;
  readonly post: InboundPost;
  readonly clock: Clock;
  readonly log: Log;
};

export type InboundServer = {
  readonly port: number;
  /** Accepts no new connections; messages that are being received may finish. */
  close(): Promise<void>;
};

/**
 * A mail server for reports and opt-outs (RFC 5321). It accepts mail only for the addresses that `post` takes, so
 * it never relays. It answers 250 after `take` has resolved, and 451 if that fails: then the sender keeps the
 * message and tries again.
 * @throws if the port cannot be opened
 */
export async function startInboundServer(parts: Parts): Promise<InboundServer> {
  const { post, log, clock } = parts;
  const conversations = conversationsOf(clock, (id) => connectionOf(server, id)?.close());
  const { SMTPServer: Server } = await import("smtp-server");
  const server = new Server({
    name: parts.name,
    banner: "Postrider",
    ...parts.tls,
    authOptional: true,
    disabledCommands: parts.tls === null ? ["AUTH", "STARTTLS"] : ["AUTH"],
    disableReverseLookup: true,
    size: MESSAGE_BYTES_MAX,
    maxCommandLength: COMMAND_BYTES_MAX,
    maxClients: CLIENTS_MAX,
    socketTimeout: IDLE_MS,
    closeTimeout: GRACE_MS,
    logger: false,
    onConnect: (session, answer) => answer(conversations.begin(session)),
    onClose: (session) => conversations.end(session),
    onMailFrom: (_sender, session, answer) => answer(conversations.sender(session)),
    onRcptTo: ({ address }, session, answer) => {
      conversations
        .recipient(session, () => post.takes(address))
        .then(
          () => answer(),
          (error: unknown) => answer(smtpError(error)),
        );
    },
    onData: (stream, session, answer) => {
      conversations
        .message(session, () => receive(stream, session, post))
        .then(
          () => answer(null, "2.0.0 Taken"),
          (error: unknown) => {
            if (!(error instanceof Refused)) log.error("a mail could not be kept", { error });
            answer(smtpError(error));
            if (error instanceof Refused && error.isLast) connectionOf(server, session.id)?.close();
          },
        );
    },
  });
  // A broken connection is the client's to handle: it sends again whatever was not answered with 250.
  server.on("error", () => {});
  const listener = server.listen(parts.port, parts.host);
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      for (const id of conversations.idle()) connectionOf(server, id)?.close();
      await closed;
    },
  };
}

const connectionOf = (server: SMTPServer, id: string) => [...server.connections].find((one) => one.id === id);

/** Our answer to a client, with its code. */
class Refused extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
    /** Whether the connection ends with it, because what still comes would take too much to read. */
    readonly isLast = false,
  ) {
    super(text);
  }
}

const smtpError = (error: unknown): Error =>
  error instanceof Refused ? error : new Refused(451, "4.3.0 Not kept: try again later");

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  post: InboundPost,
): Promise<void> {
  const kept = new KeptBytes(MESSAGE_BYTES_MAX);
  let pieces = 0;
  for await (const piece of stream) {
    if (++pieces > PIECES_MAX) throw new Refused(552, "5.3.4 Too many lines begin with a dot", true);
    kept.add(piece as Buffer);
  }
  if (stream.sizeExceeded) throw new Refused(552, "5.3.4 The message is larger than 1 MiB");
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  await post.take({ raw: kept.bytes(), recipients });
}

type Conversation = { messages: number; refused: number; isReceiving: boolean; cancel(): void };

/** What each connection has done so far, and what it may still do. */
function conversationsOf(clock: Clock, cut: (id: string) => void) {
  const open = new Map<string, Conversation>();
  const clients = clientCounts(CLIENT_CONNECTIONS_MAX);
  const of = ({ id }: SMTPServerSession): Conversation => {
    const found = open.get(id);
    if (found === undefined) throw new Refused(421, "4.3.2 Closing");
    return found;
  };

  return {
    /** Returns an error if the client has too many connections already. */
    begin({ id, remoteAddress }: SMTPServerSession): Error | null {
      if (!clients.add(id, remoteAddress)) return new Refused(421, "4.7.0 Too many connections from you");
      const cancel = clock.setTimer(CONNECTION_MS, () => cut(id));
      open.set(id, { messages: 0, refused: 0, isReceiving: false, cancel });
      return null;
    },

    end({ id }: SMTPServerSession): void {
      open.get(id)?.cancel();
      open.delete(id);
      clients.remove(id);
    },

    /** An error if the client has sent enough. Any sender is allowed: reports have none (RFC 3464, section 2). */
    sender({ id }: SMTPServerSession): Error | null {
      const conversation = open.get(id);
      if (conversation !== undefined && ++conversation.messages <= MESSAGES_MAX) return null;
      return new Refused(421, "4.7.0 Too many messages at once");
    },

    /** @throws Refused */
    async recipient(session: SMTPServerSession, takes: () => Promise<boolean>): Promise<void> {
      // A client need not wait for the answers: without turns, ten thousand recipients would be looked up at once.
      await nextLoopTurn();
      const conversation = of(session);
      if (conversation.refused >= RECIPIENTS_REFUSED_MAX)
        throw new Refused(421, "4.7.0 Too many addresses that are not here");
      if (session.envelope.rcptTo.length >= RECIPIENTS_MAX)
        throw new Refused(452, "4.5.3 Too many recipients");
      if (await takes()) return;
      conversation.refused++;
      throw new Refused(550, "5.1.1 No such address here");
    },

    async message(session: SMTPServerSession, work: () => Promise<void>): Promise<void> {
      const conversation = of(session);
      conversation.isReceiving = true;
      try {
        await work();
      } finally {
        conversation.isReceiving = false;
      }
    },

    /** Connections on which no message is being received. */
    idle: (): string[] => [...open].flatMap(([id, { isReceiving }]) => (isReceiving ? [] : [id])),
  };
}
