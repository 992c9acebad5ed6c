/** Wiring: how a server reads and receives mail. (Hooks of providers are routes: `http.ts`.) */
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { sleep } from "#core/time/clock.ts";
import { checkRegularFile } from "#core/errors/regular-file.ts";
import { listenWords } from "#core/errors/listen-words.ts";
import { errorText } from "#core/errors/thrown.ts";
import { mailboxJob } from "#inbound/mailbox/job.ts";
import { inboundLabel, type InboundAddress } from "#mail/inbound/inbound-address.ts";
import { startInboundServer, type InboundTls } from "#mail/inbound/inbound-server.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";
import type { Services } from "./services.ts";
import { faultsOnce, type World } from "./world.ts";

/** Starts reading the workspaces' mailboxes (the setting `bounceMailbox`). */
export function startMailboxes({ engine, workspaces, bounces }: Services, world: World) {
  const { clock } = world;
  const job = mailboxJob({
    ...world,
    workspaces,
    share: engine.share,
    bounces,
    openMailbox: mailboxOpener(clock),
    log: faultsOnce(world.log),
  });
  job.start();
  return {
    /** Mail that is being read has `graceMs`. What is not done by then is read again after the next start. */
    stop: (graceMs: number): Promise<void> => Promise.race([job.stop(), sleep(clock, graceMs)]),
  };
}

export type InboundOptions = {
  readonly address: InboundAddress;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Its host is the name by which the server introduces itself. */
  readonly baseUrl: string;
};

/** Receives mail that is addressed to the tokens of our messages. @throws with one line for a person */
export async function startInboundSmtp(
  { bounces }: Services,
  { clock, log }: World,
  { address, tls, baseUrl }: InboundOptions,
) {
  const certificate = tls === null ? null : await readTls(tls);
  try {
    const server = await startInboundServer({
      ...address,
      name: new URL(baseUrl).hostname,
      tls: certificate,
      post: {
        takes: async (recipient) => (await bounces.addressee(recipient)) !== null,
        take: async ({ raw, recipients }) => {
          await bounces.takeMail({ raw, way: "smtp", envelopeRecipients: recipients, workspaceIds: null });
        },
      },
      clock,
      log: faultsOnce(log),
    });
    return { ...server, label: inboundLabel(address) };
  } catch (cause) {
    throw new Error(`INBOUND_SMTP: ${inboundLabel(address)} ${listenWords(cause, "port")}`, { cause });
  }
}

async function textOf(file: string): Promise<string> {
  checkRegularFile(await stat(file));
  return await readFile(file, "utf8");
}

async function readTls({ certFile, keyFile }: NonNullable<InboundOptions["tls"]>): Promise<InboundTls> {
  const read = async (variable: string, file: string): Promise<string> => {
    const text = await textOf(file).catch((cause: unknown) => {
      throw new Error(`${variable}: ${file} cannot be read (${errorText(cause)})`, { cause });
    });
    // For the context it is as good as none, and no error: the server would offer STARTTLS, and every handshake would fail.
    if (text === "") throw new Error(`${variable}: ${file} is empty`);
    return text;
  };
  const tls = { cert: await read("INBOUND_TLS_CERT", certFile), key: await read("INBOUND_TLS_KEY", keyFile) };
  try {
    createSecureContext(tls);
  } catch (cause) {
    const why = errorText(cause);
    const files = `${certFile} and ${keyFile}`;
    throw new Error(
      `INBOUND_TLS_CERT, INBOUND_TLS_KEY: ${files} are no certificate with its key in PEM (${why})`,
      { cause },
    );
  }
  return tls;
}
