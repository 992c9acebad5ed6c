import type { Share } from "#core/share.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import { MailboxReader, type ReaderParts } from "./reader.ts";

/** Changed settings take effect within this time. */
const LOOK_MS = 5_000;

type Parts = ReaderParts & {
  readonly workspaces: Pick<WorkspaceService, "holders" | "revision">;
  /** Of several servers, the oldest reads the mailboxes: many mailboxes allow one reader, and few allow many. */
  readonly share: Share;
};

/** Reads the mailbox of every workspace that has one (the setting `bounceMailbox`). */
export function mailboxJob(parts: Parts) {
  const { workspaces, share, clock, log } = parts;
  const readers = new Map<string, { readonly url: string; readonly reader: MailboxReader }>();
  let seen: { readonly revision: number; readonly reads: boolean } | null = null;
  let cancel = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function look(): Promise<void> {
    const revision = workspaces.revision();
    const reads = share(1) > 0;
    if (revision === seen?.revision && reads === seen.reads) return;
    const holders = reads ? await workspaces.holders("bounceMailbox") : [];
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
    seen = { revision, reads };
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
    /** A mail that is being read is finished; then the mailboxes are closed. */
    async stop(): Promise<void> {
      isStopped = true;
      cancel();
      await looking;
      await Promise.all([...readers.values()].map(({ reader }) => reader.stop()));
    },
  };
}
