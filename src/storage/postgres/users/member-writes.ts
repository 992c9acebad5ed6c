import { present } from "#core/present.ts";
import type { KeptLink, NewMember } from "#users/store.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { users } from "#storage/postgres/schema/schema.ts";
import { forgetLinksInto, forgetLinksOf, keepLink } from "./link-writes.ts";
import type { MemberRow } from "./member-reads.ts";

export type Joining = { readonly link: KeptLink } | { readonly passwordHash: string };

/** The update changes nothing, but locks the account, so that nobody deletes it before the person is a member. */
const ACCOUNT = `INSERT INTO users (id, email, created_at) VALUES ($1, $2, $3)
  ON CONFLICT (email) DO UPDATE SET email = excluded.email RETURNING seq, password_hash`;
const MEMBERSHIP = `INSERT INTO memberships (workspace, person, role, created_at, joined_at)
  VALUES ($1, $2, $3, $4, $5)`;

/** Makes the account if there is none, and locks it, so that it gets no password meanwhile. */
export async function hasPassword(tx: Session, { id, email, now }: NewMember): Promise<boolean> {
  const account = await tx.row<Row<typeof users, "passwordHash">>(ACCOUNT, [id, email, now]);
  return present(account, "account of a member").passwordHash !== null;
}

export async function addMember(
  tx: Session,
  workspace: number,
  { id, email, role, now }: NewMember,
  given: Joining,
): Promise<void> {
  const account = await tx.row<Row<typeof users, "seq">>(ACCOUNT, [id, email, now]);
  const person = present(account, "account of a member").seq;
  const hasJoined = "passwordHash" in given;
  if (hasJoined)
    await tx.run("UPDATE users SET password_hash = $1 WHERE seq = $2 AND password_hash IS NULL", [
      given.passwordHash,
      person,
    ]);
  await tx.run(MEMBERSHIP, [workspace, person, role, now, hasJoined ? now : null]);
  if (!hasJoined) await keepLink(tx, { ...given.link, person, workspace });
}

/** A person who is in no other workspace is deleted. */
export async function removeMember(
  tx: Session,
  workspace: number,
  { seq, person }: Pick<MemberRow, "seq" | "person">,
): Promise<void> {
  // So that nobody adds the person to another workspace meanwhile.
  await tx.run("SELECT FROM users WHERE seq = $1 FOR UPDATE", [person]);
  await tx.run("DELETE FROM memberships WHERE seq = $1", [seq]);
  await forgetLinksInto(tx, person, workspace);
  const elsewhere = await tx.row("SELECT seq FROM memberships WHERE person = $1 LIMIT 1", [person]);
  if (elsewhere !== null) return;
  await forgetLinksOf(tx, person);
  await tx.run("DELETE FROM sessions WHERE person = $1", [person]);
  await tx.run("DELETE FROM passkeys WHERE person = $1", [person]);
  await tx.run("DELETE FROM users WHERE seq = $1", [person]);
}
