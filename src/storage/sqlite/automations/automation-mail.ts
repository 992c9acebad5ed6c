import type { Database } from "bun:sqlite";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { present } from "#core/present.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { sendingUsage } from "#storage/sqlite/ledger/sending-usage.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, mailings } from "#storage/sqlite/schema/schema.ts";

/** One mail of a step, and its letter. */
type PlannedMail = {
  readonly workspace: number;
  readonly automation: number;
  readonly node: string;
  readonly enrollment: number;
  readonly execution: number;
  readonly contact: number;
  readonly address: string;
  readonly event: number | null;
  /** Names node, content and month; ASCII without spaces. */
  readonly sourceId: string;
  /** The frozen letter as JSON. */
  content(): string;
  /** The month whose limit it counts for, as `localTime` names it. */
  readonly month: string;
  readonly at: number;
};

/** The mail of automations in the ledger, on an open transaction. */
export const automationMail = oncePerDatabase((sqlite) => {
  const ofAutomation =
    "phase = 'sending' AND seq IN (SELECT mailing FROM automation_mailings WHERE automation = $automation)";
  const hold = sqlite.query<null, { automation: number }>(
    `UPDATE mailings SET held = ${HELD.pause} WHERE held = 0 AND ${ofAutomation}`,
  );
  const release = sqlite.query<null, { automation: number }>(
    `UPDATE mailings SET held = 0 WHERE held = ${HELD.pause} AND ${ofAutomation}`,
  );
  const letGo = sqlite.query<null, { automation: number; held: number }>(
    `UPDATE mailings SET held = $held WHERE held = ${HELD.copy} AND ${ofAutomation}`,
  );
  const giveBack = sqlite.query<null, { automation: number }>(
    `UPDATE sending_usage SET n = max(0, n - m.queued) FROM
       (SELECT workspace, reserved_month, sum(queued) AS queued FROM mailings WHERE ${ofAutomation} GROUP BY 1, 2) m
     WHERE sending_usage.workspace = m.workspace AND period = m.reserved_month`,
  );
  const stop = sqlite.query<null, { automation: number }>(
    `UPDATE mailings SET phase = 'stopped' WHERE ${ofAutomation}`,
  );

  return {
    /** Paused: no further message is claimed. LIVE again: what was queued is sent. */
    hold(automation: number, isHeld: boolean): void {
      (isHeld ? hold : release).run({ automation });
    },

    /**
     * Releases what a restored copy had queued. It is sent now if the automation is LIVE, otherwise as soon
     * as it is. False: nothing was held.
     */
    release: (automation: number, isLive: boolean): boolean =>
      letGo.run({ automation, held: isLive ? 0 : HELD.pause }).changes > 0,

    /** As for a deleted campaign: returns the reservations for messages that are still owed. */
    stop(automation: number): void {
      giveBack.run({ automation });
      stop.run({ automation });
    },

    plan: planMail(sqlite),
    monthUsed: sendingUsage(sqlite).used,
  };
});

function planMail(sqlite: Database) {
  // `:` is followed by `;` in ASCII. So the range has the source itself and the mailings that were made in addition
  // to a held one.
  const find = sqlite.query<Row<typeof mailings, "seq">, [string, string]>(
    "SELECT seq FROM mailings WHERE kind = 'automation' AND source_id >= ? AND source_id < ? AND held = 0 AND phase = 'sending'",
  );
  const addMailing = sqlite.query<Row<typeof mailings, "seq">, (string | number)[]>(
    `INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at, started_at)
     VALUES (?1, 'automation', iif((SELECT count(*) FROM mailings WHERE kind = 'automation' AND source_id = ?2) = 0, ?2, ?2 || ':' || ?4),
       'sending', ?3, ?4, ?4) RETURNING seq`,
  );
  const addContent = sqlite.query<null, [number, string]>("INSERT INTO mailing_contents VALUES (?, ?)");
  const addNode = sqlite.query<null, [number, number, string]>(
    "INSERT INTO automation_mailings VALUES (?, ?, ?)",
  );
  const addDelivery = sqlite.query<Row<typeof deliveries, "seq">, [number, number, string]>(
    `INSERT INTO deliveries (mailing, contact, address, visit, state)
     SELECT ?1, ?2, ?3, coalesce((SELECT max(visit) + 1 FROM deliveries WHERE mailing = ?1 AND address = ?3), 0), 'queued' RETURNING seq`,
  );
  const addStep = sqlite.query<null, (number | null)[]>(
    "INSERT INTO automation_deliveries VALUES (?, ?, ?, ?)",
  );
  const count = sqlite.query<null, [number]>(
    "UPDATE mailings SET planned = planned + 1, queued = queued + 1 WHERE seq = ?",
  );
  const { reserve } = sendingUsage(sqlite);

  const mailingOf = ({ workspace, automation, node, sourceId, content, month, at }: PlannedMail): number => {
    const known = find.get(sourceId, `${sourceId};`);
    if (known !== null) return known.seq;
    const { seq } = present(addMailing.get(workspace, sourceId, month, at), "mailing that was just made");
    addContent.run(seq, content());
    addNode.run(seq, automation, node);
    return seq;
  };

  /** A second mail for the same performance of a node is an error that undoes the step. */
  return (mail: PlannedMail): void => {
    const mailing = mailingOf(mail);
    const { seq } = present(
      addDelivery.get(mailing, mail.contact, mail.address),
      "message that was just made",
    );
    addStep.run(seq, mail.enrollment, mail.execution, mail.event);
    count.run(mailing);
    reserve(mail.workspace, mail.month, 1);
  };
}
