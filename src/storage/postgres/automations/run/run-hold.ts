import type { DueAutomation } from "#automations/run/store.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { automations } from "#storage/postgres/schema/schema.ts";

const HOLD =
  "SELECT workspace FROM automations WHERE seq = $1 AND status = 'LIVE' AND flow_version = $2 FOR SHARE";

/**
 * The workspace of an automation that is LIVE with this flow. Both stay so until the transaction ends: changes
 * wait. Null: it has changed.
 */
export async function holdLive(
  { row }: Session,
  { number, flowVersion }: DueAutomation,
): Promise<number | null> {
  return (await row<Row<typeof automations, "workspace">>(HOLD, [number, flowVersion]))?.workspace ?? null;
}

type Tried<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** @throws StorageError if the database itself fails, and would fail for every run */
export async function tryTo<T>(work: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return { ok: false, error };
  }
}
