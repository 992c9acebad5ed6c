import type { Instant } from "#core/time/clock.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Member } from "#users/member.ts";
import type { KeptLink, NewMember, OwnerCheck, UserStore } from "#users/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { memberships, users } from "#storage/sqlite/schema/schema.ts";
import type { AuditWrites } from "#storage/sqlite/audit/audit-writes.ts";
import { linkWrites } from "./link-writes.ts";

/** What the stores of people and of sessions share, so that each sees the other's changes. */
export type PeopleParts = {
  readonly database: SqliteDatabase;
  readonly seqOf: WorkspaceSeq;
  readonly revisions: { bump(): void; current(): number };
  readonly audit: AuditWrites;
};

type MemberRow = Row<typeof users, "id" | "email" | "lastSeenAt"> &
  Row<typeof memberships, "seq" | "user" | "role" | "createdAt" | "joinedAt">;

// Who was only invited was seen in other workspaces, if anywhere: that is not this one's business.
const MEMBER = `SELECT u.id, u.email, iif(m.joined_at IS NULL, NULL, u.last_seen_at) AS lastSeenAt, m.seq, m.user,
   m.role, m.created_at AS createdAt, m.joined_at AS joinedAt
 FROM memberships AS m JOIN users AS u ON u.seq = m.user WHERE m.workspace = ?`;

const memberOf = ({ seq: _seq, user: _user, ...member }: MemberRow): Member => member;

export function userStore(parts: PeopleParts): UserStore {
  const { database, seqOf, revisions } = parts;
  const { sqlite, writes } = database;
  const reads = memberReads(parts);
  const { addMember, removeMember, setRole } = memberWrites(parts);
  const hasPassword = sqlite.query<Row<typeof users, "seq">, [string]>(
    "SELECT seq FROM users WHERE email = ? AND password_hash IS NOT NULL",
  );

  const add = (workspaceId: string, member: NewMember, given: Joining): Member | null => {
    const workspace = seqOf(workspaceId);
    if (reads.byEmail(workspace, member.email) !== null) return null;
    revisions.bump();
    addMember(workspace, member, given);
    return memberOf(present(reads.byEmail(workspace, member.email), "member that was added"));
  };

  /** Changes a member unless `check` refuses. */
  const changing = <T>(
    workspaceId: string,
    id: string,
    check: OwnerCheck,
    change: (workspace: number, row: MemberRow) => T,
  ): Promise<Result<T> | null> =>
    writes.write(() => {
      const workspace = seqOf(workspaceId);
      const row = reads.byId(workspace, id);
      if (row === null) return null;
      const checked = check(memberOf(row), reads.owners(workspace));
      if (!checked.ok) return checked;
      revisions.bump();
      return accept(change(workspace, row));
    });

  return {
    ...reads.methods,

    invite: (workspaceId, member, link) => writes.write(() => add(workspaceId, member, { link })),

    join: (workspaceId, member, passwordHash) =>
      writes.write(() => {
        const isHere = reads.byEmail(seqOf(workspaceId), member.email) !== null;
        if (!isHere && hasPassword.get(member.email) !== null) return "has-password";
        return add(workspaceId, member, { passwordHash });
      }),

    changeRole: (workspaceId, id, role, check) =>
      changing(workspaceId, id, check, (_, row) => {
        setRole(row.seq, role);
        return { ...memberOf(row), role };
      }),

    remove: (workspaceId, id, check) =>
      changing(workspaceId, id, check, (workspace, row) => {
        removeMember(workspace, row);
        return null;
      }),

    ...linkMethods(parts, reads.hasOwner),
  };
}

/** The links that the operator gives out. */
function linkMethods(
  { database: { sqlite, writes }, revisions, audit }: PeopleParts,
  hasOwner: () => boolean,
): Pick<UserStore, "reset" | "keepFirstLink"> {
  const links = linkWrites(sqlite);
  const reset = sqlite.query<Row<typeof users, "seq">, [string]>(
    `UPDATE users SET password_hash = NULL, totp_secret = NULL, totp_step = NULL, totp_proposed = NULL
     WHERE email = ? RETURNING seq`,
  );
  const endSessions = sqlite.query<null, [number]>("DELETE FROM sessions WHERE user = ?");
  const removePasskeys = sqlite.query<null, [number]>(PASSKEYS_REMOVED);

  return {
    reset: (email, link, at) =>
      writes.write(() => {
        const person = reset.get(email);
        if (person === null) return false;
        revisions.bump();
        endSessions.run(person.seq);
        removePasskeys.run(person.seq);
        links.forgetResets(person.seq);
        links.keep({ ...link, user: person.seq, workspace: null });
        audit.addOf(email, "password_reset", at, { who: COMMAND_LINE });
        return true;
      }),

    keepFirstLink: (hash) =>
      writes.write(() => {
        links.forgetFirst();
        if (hasOwner()) return false;
        links.keep({ hash, expiresAt: null, user: null, workspace: null });
        return true;
      }),
  };
}

const PASSKEYS_REMOVED = "DELETE FROM passkeys WHERE user = ?";

/** Only the command line resets passwords. */
const COMMAND_LINE = "command line";

type Joining = { readonly link: KeptLink } | { readonly passwordHash: string };

function memberReads({ database: { sqlite }, seqOf }: PeopleParts) {
  const page = sqlite.query<MemberRow, [number, number, number]>(
    `${MEMBER} AND m.seq < ? ORDER BY m.seq DESC LIMIT ?`,
  );
  const byId = sqlite.query<MemberRow, [number, string]>(`${MEMBER} AND u.id = ?`);
  const byEmail = sqlite.query<MemberRow, [number, string]>(`${MEMBER} AND u.email = ?`);
  const count = sqlite.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM memberships WHERE workspace = ?",
  );
  const owners = sqlite.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM memberships WHERE workspace = ? AND role = 'owner' AND joined_at IS NOT NULL",
  );
  const anyOwner = sqlite.query<Row<typeof memberships, "seq">, []>(
    "SELECT seq FROM memberships WHERE role = 'owner' AND joined_at IS NOT NULL LIMIT 1",
  );
  const shown = (row: MemberRow | null): Member | null => row && memberOf(row);
  const END = Number.MAX_SAFE_INTEGER;
  const methods: Pick<UserStore, "list" | "page" | "find" | "findByEmail"> = {
    list: async (workspaceId) => page.all(seqOf(workspaceId), END, END).map(memberOf),
    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const rows = page.all(workspace, before ?? END, limit + 1);
      const { n } = present(count.get(workspace), "count of people");
      return pageOf(rows, n, limit, { position: ({ seq }) => seq, item: memberOf });
    },
    find: async (workspaceId, id) => shown(byId.get(seqOf(workspaceId), id)),
    findByEmail: async (workspaceId, email) => shown(byEmail.get(seqOf(workspaceId), email)),
  };
  return {
    methods,
    byId: (workspace: number, id: string) => byId.get(workspace, id),
    byEmail: (workspace: number, email: string) => byEmail.get(workspace, email),
    owners: (workspace: number): number => present(owners.get(workspace), "count of owners").n,
    hasOwner: (): boolean => anyOwner.get() !== null,
  };
}

function memberWrites({ database: { sqlite } }: PeopleParts) {
  const links = linkWrites(sqlite);
  const newUser = sqlite.query<null, [string, string, Instant]>(
    "INSERT INTO users (id, email, created_at) VALUES (?, ?, ?) ON CONFLICT (email) DO NOTHING",
  );
  const setPassword = sqlite.query<null, [string, string]>(
    "UPDATE users SET password_hash = ? WHERE email = ? AND password_hash IS NULL",
  );
  const newMembership = sqlite.query<
    Row<typeof memberships, "user">,
    [number, Value<typeof memberships, "role">, Instant, Instant | null, string]
  >(
    `INSERT INTO memberships (workspace, user, role, created_at, joined_at)
     SELECT ?, seq, ?, ?, ? FROM users WHERE email = ? RETURNING user`,
  );
  const setRole = sqlite.query<null, [string, number]>(
    "UPDATE memberships SET role = ?1 WHERE seq = ?2 AND role <> ?1",
  );
  const leave = sqlite.query<null, [number]>("DELETE FROM memberships WHERE seq = ?");
  const isAnywhere = sqlite.query<Row<typeof memberships, "seq">, [number]>(
    "SELECT seq FROM memberships WHERE user = ? LIMIT 1",
  );
  const endSessions = sqlite.query<null, [number]>("DELETE FROM sessions WHERE user = ?");
  const removePasskeys = sqlite.query<null, [number]>(PASSKEYS_REMOVED);
  const removeUser = sqlite.query<null, [number]>("DELETE FROM users WHERE seq = ?");

  return {
    addMember(workspace: number, { id, email, role, now }: NewMember, given: Joining): void {
      newUser.run(id, email, now);
      const hasJoined = "passwordHash" in given;
      if (hasJoined) setPassword.run(given.passwordHash, email);
      const joinedAt = hasJoined ? now : null;
      const { user } = present(newMembership.get(workspace, role, now, joinedAt, email), "new membership");
      if (!hasJoined) links.keep({ ...given.link, user, workspace });
    },
    setRole: (seq: number, role: string): void => void setRole.run(role, seq),
    /** A person who is in no other workspace is deleted. */
    removeMember(workspace: number, { seq, user }: Pick<MemberRow, "seq" | "user">): void {
      leave.run(seq);
      links.forgetOf(user, workspace);
      if (isAnywhere.get(user) !== null) return;
      links.forgetAllOf(user);
      endSessions.run(user);
      removePasskeys.run(user);
      removeUser.run(user);
    },
  };
}
