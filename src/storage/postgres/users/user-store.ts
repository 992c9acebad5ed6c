import { accept, type Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import type { Member } from "#users/member.ts";
import type { NewMember, OwnerCheck, UserStore } from "#users/store.ts";
import { addEntriesOf } from "#storage/postgres/audit/audit-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Revisions } from "#storage/postgres/engine/revisions.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { users } from "#storage/postgres/schema/schema.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";
import { hasOwner } from "./first-owner.ts";
import { forgetFirst, forgetResets, keepLink } from "./link-writes.ts";
import { findMember, memberOf, memberReads, ownersOf, type MemberRow } from "./member-reads.ts";
import { addMember, hasPassword, removeMember, type Joining } from "./member-writes.ts";

/** What the stores of people and of sessions share, so that each sees the other's changes. */
export type PeopleParts = { readonly database: PostgresDatabase; readonly revisions: Revisions };

/** Only the command line resets passwords. */
const COMMAND_LINE = "command line";

export function userStore(parts: PeopleParts): UserStore {
  const { write, seqOf } = parts.database;

  const adding = async <T = never>(
    workspaceId: string,
    member: NewMember,
    given: Joining,
    refusal: (tx: Session) => Promise<T | null> = async () => null,
  ): Promise<Member | T | null> => {
    const workspace = await seqOf(workspaceId);
    return await parts.revisions.changing(() =>
      write(async (tx) => {
        // Whether somebody may be the first owner, and who is in a workspace: such changes run one after the other.
        if ("passwordHash" in given && member.role === "owner") await hasOwner(tx);
        await holdMembers(tx, workspace);
        if ((await findMember(tx, workspace, "email", member.email)) !== null) return null;
        const refused = await refusal(tx);
        if (refused !== null) return refused;
        await addMember(tx, workspace, member, given);
        const added = await findMember(tx, workspace, "email", member.email);
        return memberOf(present(added, "member that was added"));
      }),
    );
  };

  return {
    ...memberReads(parts.database),

    invite: (workspaceId, member, link) => adding(workspaceId, member, { link }),
    join: (workspaceId, member, passwordHash) =>
      adding(workspaceId, member, { passwordHash }, async (tx) =>
        (await hasPassword(tx, member)) ? "has-password" : null,
      ),

    changeRole: (workspaceId, id, role, check) =>
      changing(parts, { workspaceId, id, check }, async (tx, _, row) => {
        await tx.run("UPDATE memberships SET role = $1 WHERE seq = $2 AND role <> $1", [role, row.seq]);
        return { ...memberOf(row), role };
      }),

    remove: (workspaceId, id, check) =>
      changing(parts, { workspaceId, id, check }, async (tx, workspace, row) => {
        await removeMember(tx, workspace, row);
        return null;
      }),

    ...linkMethods(parts),
  };
}

/** Locks the memberships of a workspace until the transaction ends. */
async function holdMembers(tx: Session, workspace: number): Promise<void> {
  await lockWorkspace(tx, workspace);
}

type OfMember = { readonly workspaceId: string; readonly id: string; readonly check: OwnerCheck };

/** Changes a member unless `check` refuses. */
async function changing<T>(
  { database: { write, seqOf }, revisions }: PeopleParts,
  { workspaceId, id, check }: OfMember,
  change: (tx: Session, workspace: number, row: MemberRow) => Promise<T>,
): Promise<Result<T> | null> {
  const workspace = await seqOf(workspaceId);
  return await revisions.changing(() =>
    write(async (tx): Promise<Result<T> | null> => {
      await holdMembers(tx, workspace);
      const row = await findMember(tx, workspace, "id", id);
      if (row === null) return null;
      const checked = check(memberOf(row), await ownersOf(tx, workspace));
      return checked.ok ? accept(await change(tx, workspace, row)) : checked;
    }),
  );
}

const RESET = `UPDATE users SET password_hash = NULL, totp_secret = NULL, totp_step = NULL, totp_proposed = NULL
  WHERE email = $1 RETURNING seq`;

/** The links that the operator gives out. */
function linkMethods({
  database: { write },
  revisions,
}: PeopleParts): Pick<UserStore, "reset" | "keepFirstLink"> {
  return {
    reset: (email, link, at) =>
      revisions.changing(() =>
        write(async (tx) => {
          const person = await tx.row<Row<typeof users, "seq">>(RESET, [email]);
          if (person === null) return false;
          await tx.run("DELETE FROM sessions WHERE person = $1", [person.seq]);
          await tx.run("DELETE FROM passkeys WHERE person = $1", [person.seq]);
          await forgetResets(tx, person.seq);
          await keepLink(tx, { ...link, person: person.seq, workspace: null });
          await addEntriesOf(tx, email, "password_reset", at, { who: COMMAND_LINE });
          return true;
        }),
      ),

    keepFirstLink: (hash) =>
      write(async (tx) => {
        const isOwned = await hasOwner(tx);
        await forgetFirst(tx);
        if (isOwned) return false;
        await keepLink(tx, { hash, expiresAt: null, person: null, workspace: null });
        return true;
      }),
  };
}
