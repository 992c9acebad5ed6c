import type { Instant } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { isTooOld, mayUse, setsPassword } from "#sessions/one-time-link.ts";
import type { Link, SessionStore, Welcome } from "#sessions/store.ts";
import { addEntriesOf } from "#storage/postgres/audit/audit-writes.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { users, welcomeLinks } from "#storage/postgres/schema/schema.ts";
import { accountByEmail, accountBySeq, unchangedAccount } from "./account-reads.ts";
import { hasOwner, isOwned } from "./first-owner.ts";
import { forgetLinksOf, isReset } from "./link-writes.ts";
import { openSession } from "./session-writes.ts";
import type { PeopleParts } from "./user-store.ts";

type LinkRow = Row<typeof welcomeLinks, "person" | "workspace" | "expiresAt">;

const LINK = "SELECT person, workspace, expires_at FROM welcome_links WHERE hash = $1";

/** The actions of one-time links. */
export function welcomeWrites({
  database: { read, write },
  revisions,
}: PeopleParts): Pick<SessionStore, "link" | "welcome"> {
  return {
    link: (hash, now) =>
      read(async (session) => {
        const row = goodLink(await session.row<LinkRow>(LINK, [hash]), now);
        if (row === null || (row.person === null && (await isOwned(session)))) return null;
        return await linkOf(session, row, now);
      }),

    welcome: (linkHash, welcome, session, replaced) =>
      revisions.changing(() =>
        write(async (tx) => {
          // Another use of the same link at this time waits here, and finds it used.
          const row = goodLink(await tx.row<LinkRow>(`${LINK} FOR UPDATE`, [linkHash]), session.now);
          if (row === null || (row.person === null && (await hasOwner(tx)))) return false;
          if (!(await isStill(tx, welcome))) return false;
          const link = await linkOf(tx, row, session.now);
          if (link === null || !mayUse(link, welcome.passwordHash)) return false;
          await tx.run("DELETE FROM welcome_links WHERE hash = $1", [linkHash]);
          if (row.person !== null && row.workspace === null) await forgetLinksOf(tx, row.person);
          const person = await letIn(tx, row, welcome, session.now);
          await openSession(tx, person, session, replaced);
          await addEntriesOf(tx, welcome.email, "joined", session.now);
          return true;
        }),
      ),
  };
}

const goodLink = (row: LinkRow | null, now: Instant): LinkRow | null =>
  row === null || isTooOld(row.expiresAt, now) ? null : row;

/** What was checked is still true: there is no account, or it is the same (`isUnchanged`). */
const isStill = async (tx: Session, { email, known }: Welcome): Promise<boolean> =>
  known === null ? (await accountByEmail(tx, email)) === null : (await unchangedAccount(tx, known)) !== null;

async function linkOf(session: Session, row: LinkRow, now: Instant): Promise<Link | null> {
  if (row.person === null) return { kind: "first" };
  const account = await accountBySeq(session, row.person);
  if (account === null) return null;
  const facts = {
    isReset: row.workspace === null,
    hasPassword: account.passwordHash !== null,
    hasJoined: await hasJoined(session, row.person),
    awaitsReset: await isReset(session, row.person, now),
  };
  return { kind: "person", account, setsPassword: setsPassword(facts) };
}

async function hasJoined(session: Session, person: number): Promise<boolean> {
  const found = await session.row(
    "SELECT seq FROM memberships WHERE person = $1 AND joined_at IS NOT NULL LIMIT 1",
    [person],
  );
  return found !== null;
}

const ACCOUNT = `INSERT INTO users (id, email, created_at, password_hash, totp_step, last_seen_at)
  VALUES ($1, $2, $3, $4, $5, $3) ON CONFLICT (email) DO UPDATE SET
  password_hash = coalesce(excluded.password_hash, users.password_hash),
  totp_step = coalesce(excluded.totp_step, users.totp_step), last_seen_at = excluded.last_seen_at RETURNING seq`;
/** The first owner gets all existing workspaces. */
const OWN_ALL = `INSERT INTO memberships (workspace, person, role, created_at, joined_at)
  SELECT seq, $1, 'owner', $2, $2 FROM workspaces ORDER BY seq
  ON CONFLICT (person, workspace) DO UPDATE SET role = 'owner', joined_at = excluded.joined_at`;
const JOIN_ONE =
  "UPDATE memberships SET joined_at = $2 WHERE person = $1 AND workspace = $3 AND joined_at IS NULL";
/** A reset by the operator also accepts the open invitations. */
const JOIN_ALL = "UPDATE memberships SET joined_at = $2 WHERE person = $1 AND joined_at IS NULL";

/** Returns the row number of the account, which is created if there is none. */
async function letIn(tx: Session, row: LinkRow, welcome: Welcome, now: Instant): Promise<number> {
  const { email, newUserId, passwordHash, totpStep } = welcome;
  const made = await tx.row<Row<typeof users, "seq">>(ACCOUNT, [
    newUserId,
    email,
    now,
    passwordHash,
    totpStep,
  ]);
  const person = present(made, "account of a welcome").seq;
  if (row.person === null) await tx.run(OWN_ALL, [person, now]);
  else if (row.workspace === null) await tx.run(JOIN_ALL, [person, now]);
  else await tx.run(JOIN_ONE, [person, now, row.workspace]);
  return person;
}
