import type { Clock } from "#core/time/clock.ts";
import type { MailboxAddress } from "./mailbox-address.ts";
import type { MailboxSession } from "./mailbox.ts";
import type { PassedMail } from "./pop3-mailbox.ts";

/**
 * @param cut cuts the connection off, and whatever waits for the server rejects
 * @throws MailboxTrouble
 */
export type OpenMailbox = (address: MailboxAddress, cut?: AbortSignal) => Promise<MailboxSession>;

/** Opens mailboxes. The code of a protocol is loaded at first use: most services read no mailbox. */
export function mailboxOpener(clock: Clock): OpenMailbox {
  const passed: PassedMail = new Map();
  return async (address, cut) =>
    address.protocol === "imap"
      ? (await import("./imap-mailbox.ts")).openImap(address, clock, cut)
      : (await import("./pop3-mailbox.ts")).openPop3(address, clock, passed, cut);
}
