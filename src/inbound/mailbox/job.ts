import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import { MailboxReader, type ReaderParts } from "./reader.ts";

/** Changed settings take effect within this time. */
const LOOK_MS = 5_000;

/** Reads the mailbox of every workspace that has one (the setting `bounceMailbox`). */
export function mailboxJob(
  parts: ReaderParts & { readonly workspaces: Pick<WorkspaceService, "holders" | "revision"> },
) {
  const { workspaces, clock, log } = parts;
  const readers = new Map<string, { readonly url: string; readonly reader: MailboxReader }>();
  let seenRevision: number | null = null;
  let cancel = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function look(): Promise<void> {
    const revision = workspaces.revision();
    if (revision === seenRevision) return;
    const holders = await workspaces.holders("bounceMailbox");
    const wanted = new Map(holders.map(({ workspaceId, value }) => [workspaceId, value]));
    for (const [workspaceId, { url, reader }] of readers) {
      if (wanted.get(workspaceId) === url) continue;
      readers.delete(workspaceId);
      await reader.stop();
    }
    for (const [workspaceId, url] of wanted) {
      const address = parseMailboxUrl(url);
      if (isStopped || readers.has(workspaceId) || !address.ok) continue;
      readers.set(workspaceId, { url, reader: new MailboxReader(workspaceId, address.value, parts) });
    }
    seenRevision = revision;
  }

  const lookOn = (): void => {
    looking = look()
      .catch((error: unknown) => log.error("the settings of mailboxes could not be read", { error }))
      .finally(() => {
        if (!isStopped) cancel = clock.setTimer(LOOK_MS, lookOn);
      });
  };

  return {
    start: lookOn,
    /** What is being read is read to its end; then the mailboxes are closed. */
    async stop(): Promise<void> {
      isStopped = true;
      cancel();
      await looking;
      await Promise.all([...readers.values()].map(({ reader }) => reader.stop()));
    },
  };
}
