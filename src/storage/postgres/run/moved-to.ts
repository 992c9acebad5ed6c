/** Whether the data of this database was moved to another one, which since then sends what this one owed. */
import type { Instant } from "#core/time/clock.ts";
import { movedAway, notMoved } from "#move/moved-away.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { instance } from "#storage/postgres/schema/schema.ts";
import { holdCopied } from "./hold.ts";

const MOVED_TO = "SELECT moved_to FROM instance";

/** Where the data was moved, in words; null: it is here. */
export async function movedTo(
  { row }: Session,
  lock: "" | "FOR KEY SHARE" | "FOR UPDATE" = "",
): Promise<string | null> {
  return (await row<Row<typeof instance, "movedTo">>(`${MOVED_TO} ${lock}`))?.movedTo ?? null;
}

/**
 * @param lock for the transaction in which a node joins, or a command writes: the data is not moved away before its
 * commit, and then that is seen
 * @throws Error for a person who starts a server or a command on a database whose data was moved away
 */
export async function checkStillHere(session: Session, lock: "" | "FOR KEY SHARE"): Promise<void> {
  const place = await movedTo(session, lock);
  if (place !== null) throw movedAway(place);
}

/** The same as in SQLite. */
export const takeBack = ({ write }: Pick<PostgresDatabase, "write">, now: Instant): Promise<number> =>
  write(async (tx) => {
    if ((await movedTo(tx, "FOR UPDATE")) === null) throw notMoved();
    await tx.run("UPDATE instance SET moved_to = NULL");
    return await holdCopied(tx, now);
  });
