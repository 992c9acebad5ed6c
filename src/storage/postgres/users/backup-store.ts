import type { BackupStore } from "#backups/store.ts";
import { present } from "#core/present.ts";
import { addEntriesOf } from "#storage/postgres/audit/audit-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";

const OWNS = `SELECT NOT EXISTS (
  SELECT FROM workspaces AS w WHERE NOT EXISTS (
    SELECT FROM memberships AS m JOIN users AS u ON u.seq = m.person
    WHERE m.workspace = w.seq AND u.id = $1 AND m.role = 'owner' AND m.joined_at IS NOT NULL)) AS owns`;

export function backupStore({ read, write }: PostgresDatabase): BackupStore {
  return {
    async ownsEverything(userId) {
      const asked = await read((session) => session.row<{ owns: boolean }>(OWNS, [userId]));
      return present(asked, "answer of a question").owns;
    },
    record: ({ email, what, target, at }) => write((tx) => addEntriesOf(tx, email, what, at, { target })),
  };
}
