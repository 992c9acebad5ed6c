import type { Run } from "#automations/run/run.ts";
import type { DueAutomation } from "#automations/run/store.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { automationOptOut } from "#storage/sqlite/automations/automation-effects.ts";
import { enrollmentMoves } from "#storage/sqlite/automations/enrollment-moves.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { automations } from "#storage/sqlite/schema/schema.ts";

/** The workspace of an automation; null if it is not LIVE any more, or its flow was changed. */
export const currentWorkspace = oncePerDatabase((sqlite) => {
  const find = sqlite.query<Row<typeof automations, "workspace">, [number, number]>(
    "SELECT workspace FROM automations WHERE seq = ? AND status = 'LIVE' AND flow_version = ?",
  );
  return ({ number, flowVersion }: DueAutomation): number | null =>
    find.get(number, flowVersion)?.workspace ?? null;
});

/**
 * What the step writes where a run stands, if that opts somebody out who is on very many lists: in slices of one
 * transaction, before the run is moved. Then the step finds somebody who is out already, so a kill in between changes
 * nothing. It does nothing if the run or its automation is not as it was.
 */
export const longOptOut = oncePerDatabase((sqlite) => {
  const current = currentWorkspace(sqlite);
  const runs = enrollmentMoves(sqlite);
  const optOut = automationOptOut(sqlite);
  const byContact = sqlite.query<ContactRow, [number]>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.seq = ?`,
  );

  return function* (automation: DueAutomation, run: Run, now: number): Generator<void, void, void> {
    const workspace = current(automation);
    const row = byContact.get(run.contact);
    if (workspace === null || row === null) return;
    if (runs.find(run.seq)?.state.steps !== run.state.steps) return;
    // As the step itself decides (automations/run/step/perform.ts): who bounced meanwhile stays so.
    if (row.status === "BOUNCED") return;
    yield* optOut(workspace, run.contact, contactOf(row), now);
  };
});
