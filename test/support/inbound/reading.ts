import { nextLoopTurn } from "#core/time/event-loop.ts";
import { unwrap } from "#core/errors/errors.ts";
import { MailboxReader } from "#inbound/mailbox/reader.ts";
import type { IncomingMail, Taken } from "#bounces/incoming.ts";
import { createLog } from "#log.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";
import { manualClock, type ManualClock } from "../common/manual-clock.ts";
import { seededRandom } from "../common/dice.ts";
import { startImapServer } from "./imap-server.ts";
import { startPop3Server } from "./pop3-server.ts";

const ends: (() => unknown)[] = [];

/** For `afterEach`: ends the servers and readers that a test began. */
export async function endReading(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}

/** Like `eventually`, while time goes on whenever nobody is connected. */
export async function passing(
  { clock }: { clock: ManualClock },
  server: { readonly clients: number },
  isSo: () => boolean,
) {
  while (!isSo()) {
    await nextLoopTurn();
    if (server.clients === 0) clock.advance(2_000);
  }
}

/** What a reader is given: mails are taken by `take`, and time is held. `taken` and `log` are what came of it. */
export function world(take: (mail: IncomingMail) => Promise<Taken> = async () => "applied") {
  const clock = manualClock();
  const taken: string[] = [];
  const log: string[] = [];
  const parts = {
    bounces: {
      async takeMail(mail: IncomingMail) {
        const outcome = await take(mail);
        taken.push(Buffer.from(mail.raw).toString());
        return outcome;
      },
    },
    openMailbox: mailboxOpener(clock),
    clock,
    random: seededRandom(1),
    log: createLog({ level: "info", format: "json", clock, write: (line) => void log.push(line) }),
  };
  return { clock, taken, log, parts };
}

/** A server for IMAP, and the URL of its inbox. */
export function imap() {
  const server = startImapServer();
  ends.push(server.stop);
  return { server, url: `imap://bounces:secret@127.0.0.1:${server.port}/INBOX` };
}

/** A reader of one mailbox that has begun. */
export function reader(url: string, { parts }: ReturnType<typeof world>): MailboxReader {
  const made = new MailboxReader(["ws_1"], [unwrap(parseMailboxUrl(url))], parts);
  ends.push(() => made.stop());
  return made;
}

/** A server for POP3, and the URL of its mailbox. */
export function pop3() {
  const server = startPop3Server();
  ends.push(server.stop);
  return { server, url: `pop3://bounces:secret@127.0.0.1:${server.port}` };
}
