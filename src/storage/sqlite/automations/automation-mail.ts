import type { Database } from "bun:sqlite";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import type { SingleLetter } from "#storage/common/ledger/single-letter.ts";
import { sendingUsage } from "#storage/sqlite/ledger/sending-usage.ts";
import { singleMessages } from "#storage/sqlite/ledger/single-messages.ts";

/** One mail of a step, and its letter. */
type PlannedMail = Omit<SingleLetter, "kind"> & {
  readonly automation: number;
  readonly node: string;
  readonly enrollment: number;
  readonly execution: number;
  readonly contact: number;
  readonly address: string;
  readonly event: number | null;
  /** The month whose limit it counts for, as `localTime` names it. */
  readonly month: string;
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
  const addNode = sqlite.query<null, [number, number, string]>(
    "INSERT INTO automation_mailings VALUES (?, ?, ?)",
  );
  const addStep = sqlite.query<null, (number | null)[]>(
    "INSERT INTO automation_deliveries VALUES (?, ?, ?, ?)",
  );
  const { mailingOf, queue } = singleMessages(sqlite);
  const { reserve } = sendingUsage(sqlite);

  /** A second mail for the same performance of a node is an error that undoes the step. */
  return (mail: PlannedMail): void => {
    const mailing = mailingOf({ ...mail, kind: "automation" });
    if (mailing.isNew) addNode.run(mailing.seq, mail.automation, mail.node);
    const message = queue(mailing.seq, mail.contact, mail.address);
    addStep.run(message, mail.enrollment, mail.execution, mail.event);
    reserve(mail.workspace, mail.month, 1);
  };
}
