import type { Session } from "#storage/postgres/engine/session.ts";

/**
 * Whether somebody owns a workspace. Nobody else can become the first owner before the transaction ends, because
 * this check comes first everywhere.
 */
export async function hasOwner(tx: Session): Promise<boolean> {
  await tx.run("SELECT FROM instance FOR NO KEY UPDATE");
  return await isOwned(tx);
}

/** The same for reads only. */
export async function isOwned(session: Session): Promise<boolean> {
  const found = await session.row(
    "SELECT seq FROM memberships WHERE role = 'owner' AND joined_at IS NOT NULL LIMIT 1",
  );
  return found !== null;
}
