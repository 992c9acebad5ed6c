import type { Instant } from "#core/time/clock.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

// One-time links, written inside the transactions of people and sessions.

type NewLink = {
  readonly hash: Uint8Array;
  readonly person: number | null;
  readonly workspace: number | null;
  readonly expiresAt: Instant | null;
};

export async function keepLink(tx: Session, { hash, person, workspace, expiresAt }: NewLink): Promise<void> {
  await tx.run("INSERT INTO welcome_links (hash, person, workspace, expires_at) VALUES ($1, $2, $3, $4)", [
    hash,
    person,
    workspace,
    expiresAt,
  ]);
}

export async function forgetFirst(tx: Session): Promise<void> {
  await tx.run("DELETE FROM welcome_links WHERE person IS NULL");
}

/** Deletes the links into one workspace. */
export async function forgetLinksInto(tx: Session, person: number, workspace: number): Promise<void> {
  await tx.run("DELETE FROM welcome_links WHERE person = $1 AND workspace = $2", [person, workspace]);
}

export async function forgetLinksOf(tx: Session, person: number): Promise<void> {
  await tx.run("DELETE FROM welcome_links WHERE person = $1", [person]);
}

/** Whether the operator has reset the account, and its link can still be used. */
export async function isReset(session: Session, person: number, now: Instant): Promise<boolean> {
  const found = await session.row(
    "SELECT person FROM welcome_links WHERE person = $1 AND workspace IS NULL AND expires_at > $2 LIMIT 1",
    [person, now],
  );
  return found !== null;
}

export async function forgetResets(tx: Session, person: number): Promise<void> {
  await tx.run("DELETE FROM welcome_links WHERE person = $1 AND workspace IS NULL", [person]);
}
