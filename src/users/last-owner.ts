import { accept, refuse, type Result } from "#core/errors/errors.ts";
import type { Role } from "./role.ts";

/**
 * Every workspace keeps an owner. People who were invited but have not joined do not count: they may never
 * come.
 * @param owners how many owners of the workspace have joined
 */
export function checkLastOwner(
  { role, joinedAt }: { readonly role: Role; readonly joinedAt: number | null },
  owners: number,
): Result<null> {
  const isOwner = role === "owner" && joinedAt !== null;
  return isOwner && owners < 2
    ? refuse("CONFLICT", "This is the workspace's last owner. Make somebody else an owner first.")
    : accept(null);
}
