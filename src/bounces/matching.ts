import { readReturnAddress } from "#deliveries/return-address.ts";
import { readMessageId } from "#deliveries/token.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { storedAddress } from "#bounces/reading/report-address.ts";
import { parseFeedbackId } from "#bounces/reading/feedback-source.ts";
import type { IncomingMail, ProviderReport } from "./incoming.ts";
import type { Clues } from "#bounces/reading/clues.ts";
import type { MailReading } from "#bounces/reading/read-mail.ts";
import type { BounceStore, ReportedMessage } from "./store.ts";

type Parts = {
  readonly bounces: Pick<BounceStore, "findMessage" | "findBySource" | "findSentTo">;
  readonly workspaces: { settings(workspaceId: string): Promise<Settings> };
  readonly secret: Uint8Array;
};

type SignedClues = Pick<Clues, "messageIds" | "returnAddresses">;

/** Finds the message of a report whose envelope has no token. */
export function messageMatching({ bounces, workspaces, secret }: Parts) {
  const { bySource, byAddress } = guesses(bounces);

  /** Those with one of our Message-IDs or addresses, which are signed: complaints often lack one or the other. */
  const signedIn = async ({ messageIds, returnAddresses }: SignedClues): Promise<ReportedMessage[]> => {
    const found: ReportedMessage[] = [];
    const numbers = [
      ...messageIds.map((id) => readMessageId(secret, id)),
      ...returnAddresses.map((address) => readReturnAddress(secret, address)?.message ?? null),
    ];
    for (const number of new Set(numbers)) {
      const message = number === null ? null : await bounces.findMessage(number);
      if (message !== null) found.push(message);
    }
    return found;
  };

  const bySigned = async (
    clues: SignedClues,
    workspaceIds: readonly string[] | null,
  ): Promise<ReportedMessage | null> =>
    (await signedIn(clues)).find((message) => !isElsewhere(message, workspaceIds)) ?? null;

  /** What becomes of a report about no message, or one of a workspace that this mailbox is not of. */
  const ofOthers = async (message: ReportedMessage | null): Promise<"elsewhere" | "unmatched"> => {
    const settings = message === null ? null : await workspaces.settings(message.workspaceId);
    return (settings?.bounceMailbox ?? "") === "" ? "unmatched" : "elsewhere";
  };

  const withoutDomain = async (workspaceIds: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const workspaceId of workspaceIds)
      if ((await workspaces.settings(workspaceId)).bounceDomain === "") found.push(workspaceId);
    return found;
  };

  return {
    async byReturnedMail(
      { workspaceIds }: IncomingMail,
      reading: MailReading,
    ): Promise<ReportedMessage | null> {
      const { messageIds, feedbackId } = reading.clues;
      const proven = await bySigned(reading.clues, workspaceIds);
      if (proven !== null || workspaceIds === null || reading.mayBePersons) return proven;
      // The clues below can be forged. So they count only in workspaces whose reports cannot carry a token.
      const believing = await withoutDomain(workspaceIds);
      const addresses = [...new Set(reading.reports.flatMap(({ recipients }) => recipients))];
      const found = feedbackId === null ? null : await bySource(feedbackId, believing, addresses);
      // A returned mail whose Message-ID is not ours is not our mail.
      if (found !== null || messageIds.length > 0) return found;
      return await byAddress(believing, addresses);
    },

    /** The same for one that `byReturnedMail` does not find, because it is not of these workspaces. */
    async othersByReturnedMail(
      { workspaceIds }: IncomingMail,
      { clues }: MailReading,
    ): Promise<"elsewhere" | "unmatched"> {
      if (workspaceIds === null || clues.isAboutReport) return "unmatched";
      const [other] = await signedIn(clues);
      return await ofOthers(other ?? null);
    },

    ofOthers,

    async byEvent(workspaceId: string, report: ProviderReport): Promise<ReportedMessage | null> {
      if (report.messageId !== null)
        return await bySigned({ messageIds: [report.messageId], returnAddresses: [] }, [workspaceId]);
      return await byAddress([workspaceId], storedAddress(report.recipient ?? ""));
    },
  };
}

/** Finds a message by what anybody could have written. */
function guesses(bounces: Parts["bounces"]) {
  const bySource = async (
    feedbackId: string,
    workspaceIds: readonly string[],
    addresses: readonly string[],
  ): Promise<ReportedMessage | null> => {
    const source = parseFeedbackId(feedbackId);
    if (source === null || !workspaceIds.includes(source.workspaceId)) return null;
    const found: number[] = [];
    for (const address of addresses) found.push(...(await bounces.findBySource(source, address)));
    return await onlyOf(found);
  };

  /** The message that went to these addresses, if no other went to any of them. */
  const byAddress = async (
    workspaceIds: readonly string[],
    addresses: readonly string[],
  ): Promise<ReportedMessage | null> => {
    const found: number[] = [];
    for (const workspaceId of workspaceIds)
      for (const address of addresses) found.push(...(await bounces.findSentTo(workspaceId, address)));
    return await onlyOf(found);
  };

  /** The message of these numbers, if all are the same. */
  const onlyOf = async (numbers: readonly number[]): Promise<ReportedMessage | null> => {
    const [only, ...others] = new Set(numbers);
    return only === undefined || others.length > 0 ? null : await bounces.findMessage(only);
  };

  return { bySource, byAddress };
}

/** Reports from a mailbox or hook never affect messages of a workspace that it is not of. */
export const isElsewhere = (message: ReportedMessage, workspaceIds: readonly string[] | null): boolean =>
  workspaceIds !== null && !workspaceIds.includes(message.workspaceId);
