import type { Clock } from "#core/time/clock.ts";
import type { MailboxAddress } from "./mailbox-address.ts";
import type { MailboxSession } from "./mailbox.ts";
import type { PassedMail } from "./pop3-mailbox.ts";

/** @throws MailboxTrouble */
export type OpenMailbox = (address: MailboxAddress) => Promise<MailboxSession>;

/** Opens mailboxes. The code of a protocol is loaded at first use: most services read no mailbox. */
export function mailboxOpener(clock: Clock): OpenMailbox {
  const passed: PassedMail = new Map();
  return async (address) =>
    address.protocol === "imap"
      ? (await import("./imap-mailbox.ts")).openImap(address, clock)
      : (await import("./pop3-mailbox.ts")).openPop3(address, clock, passed);
}
