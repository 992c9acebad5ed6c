import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import { KeptBytes } from "#core/kept-bytes.ts";
import { capturedWorkspace } from "./capture-name.ts";
import type { IncomingMessage } from "./captured-mail.ts";

/** The largest message we accept: larger than what a request of 4 MiB can become in base64. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

export type CaptureServer = {
  /** Where to send: an SMTP_URL on loopback, without TLS or password. */
  readonly url: string;
  /** Stops listening and cuts the connections that are still open. */
  close(): Promise<void>;
};

/**
 * A mail server on a free loopback port that delivers nothing: it hands each message to `store`, and accepts
 * it (250) only after `store` is done. When `store` fails, the reply is 451, so the sender keeps the message
 * and tries again.
 */
export async function startCaptureServer(store: {
  keep(message: IncomingMessage): Promise<void>;
}): Promise<CaptureServer> {
  const { SMTPServer } = await import("smtp-server");
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: MESSAGE_BYTES_MAX,
    closeTimeout: 1,
    logger: false,
    onData: (stream, session, answer) => {
      receive(stream, session, store).then(
        () => answer(null, "2.0.0 Captured, not delivered"),
        (error: unknown) => answer(smtpError(error)),
      );
    },
  });
  // The client notices a broken connection itself.
  server.on("error", () => {});
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) };
}

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  store: { keep(message: IncomingMessage): Promise<void> },
): Promise<void> {
  const kept = new KeptBytes(MESSAGE_BYTES_MAX);
  for await (const piece of stream) if (!stream.sizeExceeded) kept.add(piece as Buffer);
  if (stream.sizeExceeded)
    throw Object.assign(new Error("5.3.4 The message is too large"), { responseCode: 552 });
  const { mailFrom, rcptTo } = session.envelope;
  await store.keep({
    from: mailFrom ? mailFrom.address : "",
    to: rcptTo.map((recipient) => recipient.address),
    workspaceId: capturedWorkspace(session.hostNameAppearsAs),
    raw: bufferOver(kept.bytes()),
  });
}

const bufferOver = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

function smtpError(error: unknown): Error {
  if (error instanceof Error && "responseCode" in error) return error;
  const text = "4.3.0 The message could not be kept: the server's log says why";
  return Object.assign(new Error(text), { responseCode: 451, cause: error });
}
