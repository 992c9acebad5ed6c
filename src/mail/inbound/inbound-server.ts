import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import { clientCounts } from "./client-counts.ts";

/** The largest message that is taken. */
const MESSAGE_BYTES_MAX = 1024 * 1024;
const CLIENTS_MAX = 100;
/** Connections of one address (of a /64 in IPv6). */
const CLIENT_CONNECTIONS_MAX = 10;
const RECIPIENTS_MAX = 50;
/** Messages on one connection, taken or not; for more, the client must connect again. */
const MESSAGES_MAX = 100;
const RECIPIENTS_REFUSED_MAX = 20;
/** A connection without a byte for this long is ended. */
const IDLE_MS = 60_000;
/** The longest life of a connection: sending a byte now and then does not keep it open. */
const CONNECTION_MS = 10 * 60_000;
const GRACE_MS = 10_000;

/** Who decides what is taken, and keeps it. */
export type InboundPost = {
  /** Whether mail to an address is taken at all. Rejects where that cannot be found out now. */
  takes(address: string): Promise<boolean>;
  /** Resolves when the mail, or its effect, is durable. Rejects where it cannot be kept now. */
  take(mail: { readonly raw: Uint8Array; readonly recipients: readonly string[] }): Promise<void>;
};

/** A certificate and its key, as PEM. */
export type InboundTls = { readonly cert: string; readonly key: string };

type Parts = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** What the server calls itself. */
  readonly name: string;
  /** Null: STARTTLS is not offered. */
  readonly tls: InboundTls | null;
  readonly post: InboundPost;
  readonly clock: Clock;
  readonly log: Log;
};

export type InboundServer = {
  readonly port: number;
  /** No new connections; messages that are being received may finish. */
  close(): Promise<void>;
};

/**
 * A mail server for reports and opt-outs (RFC 5321). It takes mail for the addresses that `post` takes and
 * for no other, so it never relays. It answers 250 after `take` has resolved, and 451 where that fails: then
 * the sender keeps the message and comes again.
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
          },
        );
    },
  });
  // The client handles a broken connection: it sends again what was not answered with 250.
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
  const pieces: Buffer[] = [];
  for await (const piece of stream) if (!stream.sizeExceeded) pieces.push(piece as Buffer);
  if (stream.sizeExceeded) throw new Refused(552, "5.3.4 The message is larger than 1 MiB");
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  await post.take({ raw: Buffer.concat(pieces), recipients });
}

type Conversation = { messages: number; refused: number; isReceiving: boolean; cancel(): void };

/** What each connection has done so far, and how much more it may. */
function conversationsOf(clock: Clock, cut: (id: string) => void) {
  const open = new Map<string, Conversation>();
  const clients = clientCounts(CLIENT_CONNECTIONS_MAX);
  const of = ({ id }: SMTPServerSession): Conversation => {
    const found = open.get(id);
    if (found === undefined) throw new Refused(421, "4.3.2 Closing");
    return found;
  };

  return {
    /** An error where the client has too many connections already. */
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

    /** An error where the client has sent enough. Any sender may: reports have none (RFC 3464, section 2). */
    sender({ id }: SMTPServerSession): Error | null {
      const conversation = open.get(id);
      if (conversation !== undefined && ++conversation.messages <= MESSAGES_MAX) return null;
      return new Refused(421, "4.7.0 Too many messages at once");
    },

    /** @throws Refused */
    async recipient(session: SMTPServerSession, takes: () => Promise<boolean>): Promise<void> {
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

    /** Connections on which no message is on its way. */
    idle: (): string[] => [...open].flatMap(([id, { isReceiving }]) => (isReceiving ? [] : [id])),
  };
}
