import { letterSource } from "#automations/mail/mail-plan.ts";
import type { RunWrite } from "#automations/run/step/node-performance.ts";
import type { Run } from "#automations/run/run.ts";
import { present } from "#core/present.ts";
import { LostRace } from "#storage/postgres/engine/failures.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { reserveUsage } from "#storage/postgres/ledger/sending-usage.ts";
import { queueMessages } from "#storage/postgres/ledger/single-messages.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { mailings } from "#storage/postgres/schema/schema.ts";

export type Mail = { readonly run: Run; readonly write: Extract<RunWrite, { kind: "mail" }> };

type Here = {
  readonly workspace: number;
  readonly automation: { readonly number: number; readonly id: string };
  readonly now: number;
};

// `:` is followed by `;` in ASCII. So the range has the source itself and the mailings that were made in addition
// to a held one.
const FIND = `SELECT seq FROM mailings WHERE kind = 'automation' AND source_id >= $1 AND source_id < $2
  AND held = 0 AND phase = 'sending' ORDER BY source_id LIMIT 1`;
const MAKE = `INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at, started_at)
  SELECT $1::int8, 'automation', CASE WHEN EXISTS (SELECT FROM mailings WHERE kind = 'automation' AND source_id = $2)
    THEN $2 || ':' || $4::text ELSE $2 END, 'sending', $3, $4::int8, $4::int8
  ON CONFLICT DO NOTHING RETURNING seq`;
const ADD_CONTENT = "INSERT INTO mailing_contents (mailing, content) VALUES ($1, $2)";
const ADD_NODE = "INSERT INTO automation_mailings (mailing, automation, node) VALUES ($1, $2, $3)";
const ADD_STEPS = `INSERT INTO automation_deliveries (delivery, enrollment, execution, event)
  SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[])`;

/**
 * Queues the mails of steps, on an open transaction that holds the automation and has locked its workspace's usage.
 * A second mail for the same performance of a node is an error.
 */
export async function planMails(tx: Session, here: Here, mails: readonly Mail[]): Promise<void> {
  const sourceOf = ({ write: { mail } }: Mail) => letterSource(here.automation.id, mail.letter, mail.month);
  const letters = [...Map.groupBy(mails, sourceOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [source, those] of letters) await planLetter(tx, here, source, those);
}

async function planLetter(tx: Session, here: Here, source: string, mails: readonly Mail[]): Promise<void> {
  const { letter, month } = present(mails[0], "mail of a letter").write.mail;
  const mailing = (await findMailing(tx, source)) ?? (await makeMailing(tx, here, source, letter, month));
  const messages = await queueMessages(
    tx,
    { mailing, at: here.now, node: null },
    mails.map(({ run, write }) => ({ contact: run.contact, address: write.address })),
  );
  await tx.run(ADD_STEPS, [
    messages,
    mails.map(({ run }) => run.seq),
    mails.map(({ write }) => write.execution),
    mails.map(({ run }) => run.event),
  ]);
  await reserveUsage(tx, here.workspace, month, mails.length);
}

async function findMailing({ row }: Session, source: string): Promise<number | null> {
  return (await row<Row<typeof mailings, "seq">>(FIND, [source, `${source};`]))?.seq ?? null;
}

async function makeMailing(
  tx: Session,
  { workspace, automation, now }: Here,
  source: string,
  { nodeId, content }: Mail["write"]["mail"]["letter"],
  month: string,
): Promise<number> {
  const made = await tx.row<Row<typeof mailings, "seq">>(MAKE, [workspace, source, month, now]);
  if (made === null) throw new LostRace("a letter got its mailing meanwhile");
  await tx.run(ADD_CONTENT, [made.seq, JSON.stringify(content)]);
  await tx.run(ADD_NODE, [made.seq, automation.number, nodeId]);
  return made.seq;
}
