import type { Share } from "#core/share.ts";
import { mailboxIdentity, parseMailboxUrl, type MailboxAddress } from "#mail/mailbox/mailbox-address.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import type { SettingHolder } from "#workspaces/store.ts";
import { MailboxReader, type ReaderParts } from "./reader.ts";

/** Changed settings take effect within this time. */
const LOOK_MS = 5_000;

type Parts = ReaderParts & {
  readonly workspaces: Pick<WorkspaceService, "holders" | "revision">;
  /** Of several servers, the oldest reads the mailboxes: many mailboxes allow one reader, and few allow many. */
  readonly share: Share;
};

/**
 * Reads the mailbox of every workspace that has one (the setting `bounceMailbox`). One that several workspaces have
 * is read once, for all of them: whoever files a mail takes it away from the others.
 */
export function mailboxJob(parts: Parts) {
  const { workspaces, share, clock, log } = parts;
  const readers = new Map<string, MailboxReader>();
  let seen: { readonly revision: number; readonly reads: boolean } | null = null;
  let cancel = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function look(): Promise<void> {
    const revision = workspaces.revision();
    const reads = share(1) > 0;
    if (revision === seen?.revision && reads === seen.reads) return;
    const holders = reads ? await workspaces.holders("bounceMailbox") : [];
    const wanted = mailboxesOf(holders);
    for (const [key, reader] of readers) {
      if (wanted.has(key)) continue;
      readers.delete(key);
      await reader.stop();
    }
    for (const [key, { addresses, workspaceIds }] of wanted) {
      const reader = readers.get(key);
      if (reader !== undefined) reader.workspaceIds = workspaceIds;
      else if (!isStopped) readers.set(key, new MailboxReader(workspaceIds, addresses, parts));
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
      await Promise.all([...readers.values()].map((reader) => reader.stop()));
    },
  };
}

type Mailbox = { readonly addresses: readonly MailboxAddress[]; readonly workspaceIds: readonly string[] };

/**
 * Each mailbox once, however its URL is written, with the workspaces that have it. The key changes with its addresses,
 * so that a changed one is used at once.
 */
function mailboxesOf(holders: readonly SettingHolder[]): ReadonlyMap<string, Mailbox> {
  const parsed = holders.flatMap(({ workspaceId, value }) => {
    const address = parseMailboxUrl(value);
    return address.ok ? [{ workspaceId, address: address.value }] : [];
  });
  const mailboxes = [...Map.groupBy(parsed, ({ address }) => mailboxIdentity(address)).values()];
  return new Map(
    mailboxes.map((same) => {
      const addresses = addressesIn(same.map(({ address }) => address));
      return [
        JSON.stringify(addresses),
        { addresses, workspaceIds: same.map(({ workspaceId }) => workspaceId) },
      ];
    }),
  );
}

/** Each address once. IMAP comes first, because by POP3 what was read is deleted. */
const addressesIn = (addresses: readonly MailboxAddress[]): MailboxAddress[] =>
  [...new Map(addresses.map((address) => [JSON.stringify(address), address])).values()].toSorted((a, b) =>
    a.protocol.localeCompare(b.protocol),
  );
