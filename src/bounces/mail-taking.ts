import type { ReturnAddress } from "#deliveries/return-address.ts";
import type { MailReading } from "#bounces/reading/read-mail.ts";
import { storedAddress } from "#bounces/reading/report-address.ts";
import type { ownAddresses } from "./addressee.ts";
import type { IncomingMail, Taken } from "./incoming.ts";
import { isElsewhere, type messageMatching } from "./matching.ts";
import type { BounceStore, ReportedMessage } from "./store.ts";
import type { reportTaking } from "./taking.ts";

type Parts = {
  readonly bounces: Pick<BounceStore, "findMessage">;
  optOut(message: number, reason: string | null): Promise<boolean>;
  readonly taking: ReturnType<typeof reportTaking>;
  readonly matching: ReturnType<typeof messageMatching>;
  readonly addresses: Pick<ReturnType<typeof ownAddresses>, "complaintsOf">;
};

/** What becomes of a mail that was read: with a token of ours, and without one. */
export function mailTaking({ bounces, optOut, taking, matching, addresses }: Parts) {
  /** The token alone decides which message this is about; addresses in the report need not match. */
  const takeFor = async (mail: IncomingMail, reading: MailReading, target: ReturnAddress): Promise<Taken> => {
    const message = await bounces.findMessage(target.message);
    if (message === null || isElsewhere(message, mail.workspaceIds)) return await matching.ofOthers(message);
    if (target.purpose === "unsubscribe") {
      // It may ask for the opt-out: a person has to see it.
      if (!reading.mayAskToLeave && reading.reports.length === 0)
        return await taking.keep(mail, reading, [message.workspaceId]);
      // Some programs answer to every address that they see. Only what is certain counts, so no opt-out is lost.
      if (!reading.mayAskToLeave || reading.isAutomatic) return "unmatched";
      return (await optOut(message.number, null)) ? "applied" : "unmatched";
    }
    if (reading.clues.isAboutReport) return "unmatched";
    if (reading.reports.length === 0 || isByReaderOf(message, reading))
      return await taking.keep(mail, reading, [message.workspaceId]);
    return await taking.apply(message, reading.reports, mail.way);
  };

  const takeWithoutToken = async (mail: IncomingMail, reading: MailReading): Promise<Taken> => {
    // What is not left is filed, and by POP3 that is deleted. So a person's mail stays where it is.
    const isLeft = mail.way === "mailbox" && reading.mayBePersons;
    if (reading.reports.length === 0)
      return isLeft
        ? "ordinary"
        : await taking.keep(
            mail,
            reading,
            mail.workspaceIds ?? [await addresses.complaintsOf(mail.envelopeRecipients)],
          );
    const message = reading.clues.isAboutReport ? null : await matching.byReturnedMail(mail, reading);
    if (message !== null && isByReaderOf(message, reading))
      return isLeft ? "ordinary" : await taking.keep(mail, reading, [message.workspaceId]);
    if (message !== null) return await taking.apply(message, reading.reports, mail.way);
    const others = await matching.othersByReturnedMail(mail, reading);
    return isLeft && others === "unmatched" ? "ordinary" : others;
  };

  return { takeFor, takeWithoutToken };
}

/**
 * Whether the words of a failure come from the very address that they are about, as in an answer that quotes a report.
 * From a dead mailbox comes no mail.
 */
function isByReaderOf({ address }: ReportedMessage, { from, isInWords }: MailReading): boolean {
  return isInWords && storedAddress(from.split(" ").at(-1) ?? "").includes(address);
}
