import { letterSource } from "#automations/mail/mail-plan.ts";
import type { RunWrite } from "#automations/run/step/node-performance.ts";
import type { Run } from "#automations/run/run.ts";
import { present } from "#core/present.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { reserveUsage } from "#storage/postgres/ledger/sending-usage.ts";
import { mailingOf, queueMessages } from "#storage/postgres/ledger/single-messages.ts";

export type Mail = { readonly run: Run; readonly write: Extract<RunWrite, { kind: "mail" }> };

type Here = {
  readonly workspace: number;
  readonly automation: { readonly number: number; readonly id: string };
  readonly now: number;
};

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
  const mailing = await mailingOf(tx, {
    workspace: here.workspace,
    kind: "automation",
    sourceId: source,
    month,
    content: () => JSON.stringify(letter.content),
    at: here.now,
  });
  if (mailing.isNew) await tx.run(ADD_NODE, [mailing.seq, here.automation.number, letter.nodeId]);
  const messages = await queueMessages(
    tx,
    { mailing: mailing.seq, at: here.now, node: null },
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
