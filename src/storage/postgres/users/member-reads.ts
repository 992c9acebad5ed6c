import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Member } from "#users/member.ts";
import type { UserStore } from "#users/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { memberships, users } from "#storage/postgres/schema/schema.ts";

export type MemberRow = Row<typeof users, "id" | "email" | "lastSeenAt"> &
  Row<typeof memberships, "seq" | "person" | "role" | "createdAt" | "joinedAt">;

// Who was only invited was seen in other workspaces, if anywhere: that is not this one's business.
const MEMBER = `SELECT u.id, u.email, CASE WHEN m.joined_at IS NOT NULL THEN u.last_seen_at END AS last_seen_at, m.seq,
    m.person, m.role, m.created_at, m.joined_at
  FROM memberships AS m JOIN users AS u ON u.seq = m.person WHERE m.workspace = $1`;
const NEWEST = `${MEMBER} AND m.seq < $2 ORDER BY m.seq DESC`;

const END = Number.MAX_SAFE_INTEGER;

export const memberOf = ({ seq: _seq, person: _person, ...member }: MemberRow): Member => member;

export const findMember = (
  session: Session,
  workspace: number,
  by: "id" | "email",
  value: string,
): Promise<MemberRow | null> => session.row<MemberRow>(`${MEMBER} AND u.${by} = $2`, [workspace, value]);

export async function ownersOf(session: Session, workspace: number): Promise<number> {
  return await countOf(
    session,
    "SELECT count(*) AS n FROM memberships WHERE workspace = $1 AND role = 'owner' AND joined_at IS NOT NULL",
    workspace,
  );
}

async function countOf(session: Session, statement: string, workspace: number): Promise<number> {
  return present(await session.row<{ n: number }>(statement, [workspace]), "count of people").n;
}

export function memberReads({
  read,
  seqOf,
}: PostgresDatabase): Pick<UserStore, "list" | "page" | "find" | "findByEmail"> {
  const find = async (workspaceId: string, by: "id" | "email", value: string): Promise<Member | null> => {
    const workspace = await seqOf(workspaceId);
    const row = await read((session) => findMember(session, workspace, by, value));
    return row && memberOf(row);
  };

  return {
    async list(workspaceId) {
      const workspace = await seqOf(workspaceId);
      return (await read((session) => session.rows<MemberRow>(NEWEST, [workspace, END]))).map(memberOf);
    },

    async page(workspaceId, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const [rows, total] = await read((session) =>
        Promise.all([
          session.rows<MemberRow>(`${NEWEST} LIMIT $3`, [workspace, before ?? END, limit + 1]),
          countOf(session, "SELECT count(*) AS n FROM memberships WHERE workspace = $1", workspace),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: memberOf });
    },

    find: (workspaceId, id) => find(workspaceId, "id", id),
    findByEmail: (workspaceId, email) => find(workspaceId, "email", email),
  };
}
