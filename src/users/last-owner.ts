import { accept, refuse, type Result } from "#core/errors.ts";
import type { Role } from "./role.ts";

/**
 * A workspace keeps somebody who may do everything in it. Who was only invited does not count: they may never
 * come.
 * @param owners how many owners the workspace has who have joined
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
