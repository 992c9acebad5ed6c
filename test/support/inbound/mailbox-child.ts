/**
 * Opens a mailbox as on another machine, where TLS is required, and prints what is in it or why it cannot be read.
 * Trusts the certificates that its environment names.
 *
 *     bun test/support/inbound/mailbox-child.ts URL
 */
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";

const address = { ...unwrap(parseMailboxUrl(process.argv[2] ?? "")), requireTls: true };
try {
  const session = await mailboxOpener(systemClock)(address);
  const mails = [];
  for (const mail of await session.list()) {
    const raw = await session.read(mail);
    mails.push(raw instanceof Uint8Array ? Buffer.from(raw).toString() : raw);
  }
  await session.close();
  console.log(JSON.stringify({ mails }));
} catch (error) {
  console.log(JSON.stringify({ trouble: String(error) }));
}
