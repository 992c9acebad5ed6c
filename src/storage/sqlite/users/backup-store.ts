import type { BackupStore } from "#backups/store.ts";
import { present } from "#core/present.ts";
import type { PeopleParts } from "./user-store.ts";

export function backupStore({ database: { sqlite, writes }, audit }: PeopleParts): BackupStore {
  const owns = sqlite.query<{ owns: 0 | 1 }, [string]>(
    `SELECT NOT EXISTS (
       SELECT 1 FROM workspaces AS w WHERE NOT EXISTS (
         SELECT 1 FROM memberships AS m JOIN users AS u ON u.seq = m.user
         WHERE m.workspace = w.seq AND u.id = ? AND m.role = 'owner' AND m.joined_at IS NOT NULL)) AS owns`,
  );
  return {
    ownsEverything: async (userId) => present(owns.get(userId), "answer of a question").owns === 1,
    record: ({ email, what, target, at }) => writes.write(() => audit.addOf(email, what, at, { target })),
  };
}
