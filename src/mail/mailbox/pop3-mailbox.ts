import { withoutPassword } from "#core/text/without-password.ts";
import type { Clock } from "#core/time/clock.ts";
import { MailboxTrouble, READ_BYTES_MAX, type FoundMail, type MailboxSession } from "./mailbox.ts";
import { mailboxLabel, type MailboxAddress } from "./mailbox-address.ts";
import { Pop3Connection, Pop3Refusal } from "./pop3-connection.ts";
import { notIn, uidsIn } from "./pop3-uids.ts";

const UIDS_BYTES_MAX = 8 * 1024 * 1024;
const LISTED_MAX = 100;

/** The unique ids of mail that is not listed again: left for a person, or skipped for another reader. */
type Passed = { readonly left: Set<string>; readonly skipped: Set<string> };

/**
 * What was passed in each mailbox: POP3 cannot mark mail. Kept until the process ends; after a restart such mail is
 * examined once more.
 */
export type PassedMail = Map<string, Passed>;

/**
 * Reads a mailbox by POP3 (RFC 1939). Mail that was read is deleted when the session is closed properly; a session
 * that is cut off deletes nothing. A session shows the mail that was there when it began.
 * @throws MailboxTrouble
 */
export async function openPop3(
  address: MailboxAddress,
  clock: Clock,
  passedMail: PassedMail,
  cut: AbortSignal | undefined,
): Promise<MailboxSession> {
  const connection = new Pop3Connection(address, clock);
  cut?.addEventListener("abort", () => connection.cut());
  try {
    await connection.greeting();
    if (address.requireTls) {
      await connection.command("STLS");
      await connection.secure();
    }
    await logIn(connection, address);
    const key = `${address.user} ${mailboxLabel(address)}`;
    const passed = passedMail.get(key) ?? { left: new Set(), skipped: new Set() };
    passedMail.set(key, passed);
    const uids = await uidsIn(await connection.block("UIDL", UIDS_BYTES_MAX));
    const open = await notIn(uids, [passed.left, passed.skipped]);
    return session(connection, { uids, open, passed });
  } catch (error) {
    connection.cut();
    throw error;
  }
}

async function logIn(connection: Pop3Connection, address: MailboxAddress): Promise<void> {
  const { user, pass } = address;
  try {
    await connection.command(`USER ${user}`);
    await connection.command(`PASS ${pass}`);
  } catch (error) {
    if (!(error instanceof Pop3Refusal)) throw error;
    // RFC 2449, section 8.1: another session has the mailbox, or the server is busy. The password is right.
    const isBusy = /\[(?:IN-USE|SYS\/TEMP|LOGIN-DELAY)\]/i.test(error.message);
    throw new MailboxTrouble(isBusy ? "connection" : "login", withoutPassword(error.message, address));
  }
}

type Mails = {
  /** The unique id of each mail, by its number in this session; "" if others have the same. */
  readonly uids: ReadonlyMap<string, string>;
  /** The numbers of mail that was not examined yet, oldest first. */
  readonly open: Set<string>;
  readonly passed: Passed;
};

function session(connection: Pop3Connection, { uids, open, passed }: Mails): MailboxSession {
  const passIn = (place: Set<string>, id: string): void => {
    const uid = uids.get(id);
    if (uid !== undefined && uid !== "") place.add(uid);
    open.delete(id);
  };
  const leave = (id: string): void => passIn(passed.left, id);

  return {
    list: async () =>
      open
        .values()
        .take(LISTED_MAX)
        .map((id) => ({ id, key: uids.get(id) || id }))
        .toArray(),
    async read({ id }: FoundMail) {
      try {
        return await connection.block(`RETR ${id}`, READ_BYTES_MAX);
      } catch (error) {
        if (!(error instanceof Pop3Refusal)) throw error;
        return { refusal: error.message };
      }
    },
    async file({ id }: FoundMail) {
      try {
        await connection.command(`DELE ${id}`);
        open.delete(id);
      } catch (error) {
        // It was read, so it must neither hold up those behind it nor be read again.
        if (!(error instanceof Pop3Refusal)) throw error;
        leave(id);
      }
    },
    leave: async ({ id }: FoundMail) => leave(id),
    skip: ({ id }: FoundMail) => passIn(passed.skipped, id),
    unskip() {
      if (passed.skipped.size === 0) return;
      for (const [id, uid] of uids) if (passed.skipped.has(uid)) open.add(id);
      passed.skipped.clear();
    },
    pass: ({ id }: FoundMail) => void open.delete(id),
    wait: null,
    async close() {
      await connection.command("QUIT").catch(() => undefined);
      connection.cut();
    },
  };
}
