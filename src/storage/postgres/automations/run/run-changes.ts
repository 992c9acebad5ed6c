import { contactWriteOf } from "#automations/run/step/contact-effect.ts";
import type { RunWrite } from "#automations/run/step/node-performance.ts";
import type { Run } from "#automations/run/run.ts";
import { contactRowOf } from "#storage/postgres/contacts/contact-row.ts";
import { saveAll, type ContactChangeWrite } from "#storage/postgres/contacts/contact-writes.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { leaveList } from "#storage/postgres/lists/list-departures.ts";
import { join } from "#storage/postgres/lists/list-members.ts";
import { writeStarts, type Start } from "#storage/postgres/automations/start-writes.ts";

export type Change = { readonly run: Run; readonly write: Extract<RunWrite, { kind: "change" }> };

type Here = {
  readonly workspace: number;
  readonly now: number;
  /** The row numbers of the lists that steps name; the transaction has locked them. */
  readonly lists: ReadonlyMap<string, number>;
};

/**
 * Writes what steps change in their contacts, at most one change each, on an open transaction that has locked them.
 * A tag that is added is a trigger.
 */
export async function writeChanges(
  tx: Session,
  { workspace, now, lists }: Here,
  changes: readonly Change[],
): Promise<void> {
  const joining = new Map<number, number[]>();
  const leaving = new Map<number, number[]>();
  const saved: ContactChangeWrite[] = [];
  const starts: Start[] = [];
  for (const { run, write } of changes) {
    const { effect, contact, depth } = write;
    if ("listId" in effect) {
      const list = lists.get(effect.listId);
      const moving = effect.kind === "addToList" ? joining : leaving;
      if (list !== undefined) moving.set(list, [...(moving.get(list) ?? []), run.contact]);
      continue;
    }
    saved.push({ row: contactRowOf(run.contact, contact), write: contactWriteOf(effect, contact, now) });
    if (effect.kind === "addTag") {
      const trigger = { kind: "tag_added", tag: effect.tag } as const;
      starts.push({ contact: run.contact, trigger, event: null, depth, at: now });
    }
  }
  for (const [list, contacts] of joining) await join(tx, list, contacts, now);
  for (const [list, contacts] of leaving) await leaveList(tx, list, contacts, now);
  await saveAll(tx, workspace, saved);
  await writeStarts(tx, workspace, starts);
}
