import type { Instant } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { isTooOld, mayUse, setsPassword } from "#sessions/one-time-link.ts";
import type { Link, NewSession, SessionStore, Welcome } from "#sessions/store.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { memberships, users, welcomeLinks } from "#storage/sqlite/schema/schema.ts";
import type { AccountReads } from "./account-reads.ts";
import { linkWrites } from "./link-writes.ts";
import type { PeopleParts } from "./user-store.ts";

/** Opens a session of the person with this number, in place of the one that the browser had. */
export type OpenSession = (user: number, session: NewSession, replaced: Uint8Array | null) => void;

type LinkRow = Row<typeof welcomeLinks, "user" | "workspace" | "expiresAt">;

/** The actions of one-time links. */
export function welcomeWrites(
  parts: PeopleParts,
  accounts: AccountReads,
  { open }: { readonly open: OpenSession },
): Pick<SessionStore, "link" | "welcome"> {
  const { database, revisions, audit } = parts;
  const { sqlite, writes } = database;
  const links = linkWrites(sqlite);
  const joining = joiningWrites(parts);
  const byHash = sqlite.query<LinkRow, [Uint8Array]>(
    "SELECT user, workspace, expires_at AS expiresAt FROM welcome_links WHERE hash = ?",
  );

  const goodLink = (hash: Uint8Array, now: Instant): LinkRow | null => {
    const row = byHash.get(hash);
    if (row === null || isTooOld(row.expiresAt, now)) return null;
    return row.user === null && joining.hasOwner() ? null : row;
  };

  const linkOf = ({ user, workspace }: LinkRow, now: Instant): Link | null => {
    if (user === null) return { kind: "first" };
    const account = accounts.bySeq(user);
    if (account === null) return null;
    const facts = {
      isReset: workspace === null,
      hasPassword: account.passwordHash !== null,
      hasJoined: joining.hasJoined(user),
      awaitsReset: links.isReset(user, now),
    };
    return { kind: "person", account, setsPassword: setsPassword(facts) };
  };

  /** What was checked is still true: there is no account, or it is the same (`isUnchanged`). */
  const isStill = ({ email, known }: Welcome): boolean =>
    known === null ? accounts.byEmail(email) === null : accounts.unchanged(known) !== null;

  /** Returns the row number of the account. */
  const letIn = (row: LinkRow, welcome: Welcome, now: Instant): number => {
    const user = joining.account(welcome, now);
    if (row.user === null) joining.ownEverything(user, now);
    else joining.join(user, row.workspace, now);
    return user;
  };

  return {
    link: async (hash, now) => {
      const row = goodLink(hash, now);
      return row && linkOf(row, now);
    },

    welcome: (linkHash, welcome, session, replaced) =>
      writes.write(() => {
        const row = goodLink(linkHash, session.now);
        if (row === null || !isStill(welcome)) return false;
        const link = linkOf(row, session.now);
        if (link === null || !mayUse(link, welcome.passwordHash)) return false;
        revisions.bump();
        links.forget(linkHash);
        if (row.user !== null && row.workspace === null) links.forgetAllOf(row.user);
        open(letIn(row, welcome, session.now), session, replaced);
        audit.addOf(welcome.email, "joined", session.now);
        return true;
      }),
  };
}

function joiningWrites({ database: { sqlite } }: PeopleParts) {
  const anyOwner = sqlite.query<Row<typeof memberships, "seq">, []>(
    "SELECT seq FROM memberships WHERE role = 'owner' AND joined_at IS NOT NULL LIMIT 1",
  );
  const anyJoined = sqlite.query<Row<typeof memberships, "seq">, [number]>(
    "SELECT seq FROM memberships WHERE user = ? AND joined_at IS NOT NULL LIMIT 1",
  );
  const newUser = sqlite.query<null, [string, string, Instant]>(
    "INSERT INTO users (id, email, created_at) VALUES (?, ?, ?) ON CONFLICT (email) DO NOTHING",
  );
  const update = sqlite.query<Row<typeof users, "seq">, [string | null, number | null, Instant, string]>(
    `UPDATE users SET password_hash = coalesce(?, password_hash), totp_step = coalesce(?, totp_step), last_seen_at = ?
     WHERE email = ? RETURNING seq`,
  );
  const ownAll = sqlite.query<null, [number, Instant, Instant]>(
    `INSERT INTO memberships (workspace, user, role, created_at, joined_at)
     SELECT seq, ?, 'owner', ?, ? FROM workspaces WHERE true ORDER BY seq
     ON CONFLICT (user, workspace) DO UPDATE SET role = 'owner', joined_at = excluded.joined_at`,
  );
  const joinOne = sqlite.query<null, [Instant, number, number]>(
    "UPDATE memberships SET joined_at = ? WHERE user = ? AND workspace = ? AND joined_at IS NULL",
  );
  const joinAll = sqlite.query<null, [Instant, number]>(
    "UPDATE memberships SET joined_at = ? WHERE user = ? AND joined_at IS NULL",
  );
  return {
    hasOwner: (): boolean => anyOwner.get() !== null,
    hasJoined: (user: number): boolean => anyJoined.get(user) !== null,
    /** The row number of the account, which is created if there is none. */
    account({ email, newUserId, passwordHash, totpStep }: Welcome, now: Instant): number {
      newUser.run(newUserId, email, now);
      return present(update.get(passwordHash, totpStep, now, email), "account of a welcome").seq;
    },
    /** The first owner gets all existing workspaces. */
    ownEverything: (user: number, now: Instant): void => void ownAll.run(user, now, now),
    /** @param workspace null: a reset by the operator, which also accepts the open invitations */
    join(user: number, workspace: number | null, now: Instant): void {
      if (workspace === null) joinAll.run(now, user);
      else joinOne.run(now, user, workspace);
    },
  };
}
