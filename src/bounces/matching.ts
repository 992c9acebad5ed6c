import { readMessageId } from "#deliveries/token.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { storedAddress } from "#bounces/reading/delivery-status.ts";
import { parseFeedbackId } from "#bounces/reading/feedback-source.ts";
import type { IncomingMail, ProviderReport } from "./incoming.ts";
import type { MailReading } from "#bounces/reading/read-mail.ts";
import type { BounceStore, ReportedMessage } from "./store.ts";

type Parts = {
  readonly bounces: Pick<BounceStore, "findMessage" | "findBySource" | "findOnlyTo">;
  readonly workspaces: { settings(workspaceId: string): Promise<Settings> };
  readonly secret: Uint8Array;
};

/** Finds the message of a report whose envelope has no token. */
export function messageMatching({ bounces, workspaces, secret }: Parts) {
  /** Finds it by one of our Message-IDs, which are signed. */
  const byId = async (
    ids: readonly string[],
    workspaceId: string | null,
  ): Promise<ReportedMessage | null> => {
    for (const id of ids) {
      const number = readMessageId(secret, id);
      const message = number === null ? null : await bounces.findMessage(number);
      if (message !== null && !isElsewhere(message, workspaceId)) return message;
    }
    return null;
  };

  const bySource = async (feedbackId: string, workspaceId: string, addresses: readonly string[]) => {
    const source = parseFeedbackId(feedbackId);
    if (source === null || source.workspaceId !== workspaceId) return null;
    return await onlyOne(addresses, (address) => bounces.findBySource(source, address));
  };

  return {
    async byReturnedMail(
      { workspaceId }: IncomingMail,
      reading: MailReading,
    ): Promise<ReportedMessage | null> {
      const { messageIds, feedbackId } = reading.clues;
      const proven = await byId(messageIds, workspaceId);
      if (proven !== null || workspaceId === null || reading.mayBePersons) return proven;
      // The clues below can be forged. So they count only in workspaces whose reports cannot carry a token.
      if ((await workspaces.settings(workspaceId)).bounceDomain !== "") return null;
      const addresses = [...new Set(reading.reports.flatMap(({ recipients }) => recipients))];
      const found = feedbackId === null ? null : await bySource(feedbackId, workspaceId, addresses);
      if (found !== null) return await bounces.findMessage(found);
      // A returned mail whose Message-ID is not ours is not our mail.
      if (messageIds.length > 0) return null;
      const only = await onlyOne(addresses, (address) => bounces.findOnlyTo(workspaceId, address));
      return only === null ? null : await bounces.findMessage(only);
    },

    async byEvent(workspaceId: string, report: ProviderReport): Promise<ReportedMessage | null> {
      if (report.messageId !== null) return await byId([report.messageId], workspaceId);
      const addresses = storedAddress(report.recipient ?? "");
      const only = await onlyOne(addresses, (address) => bounces.findOnlyTo(workspaceId, address));
      return only === null ? null : await bounces.findMessage(only);
    },
  };
}

/** The message that went to these addresses, if all that got one got the same. */
async function onlyOne(
  addresses: readonly string[],
  find: (address: string) => Promise<number | null>,
): Promise<number | null> {
  const found = new Set<number>();
  for (const address of addresses) {
    const message = await find(address);
    if (message !== null) found.add(message);
  }
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : null;
}

/** Reports from the mailbox or hook of one workspace never affect messages of another. */
export const isElsewhere = (message: ReportedMessage, workspaceId: string | null): boolean =>
  workspaceId !== null && message.workspaceId !== workspaceId;
