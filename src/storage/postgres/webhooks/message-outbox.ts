import { present } from "#core/present.ts";
import type { Soon } from "#core/time/soon.ts";
import { messageIdOf } from "#deliveries/token.ts";
import { toldMailing } from "#storage/common/webhooks/told-message.ts";
import { readableJson } from "#storage/postgres/engine/readable-json.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { contacts, deliveries, instance, mailings } from "#storage/postgres/schema/schema.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites } from "./outbox-writes.ts";

type MailEvent = Extract<EventType, `email.${string}`>;

/** A message as its row in the ledger has it. `contactId` is null if the contact was deleted. */
export type ToldMessage = Readonly<Row<typeof deliveries, "seq" | "mailing" | "address">> & {
  readonly contactId: Value<typeof contacts, "id"> | null;
};

/** The webhook messages about mail in one transaction. Nothing is written before `book`. */
export type MessageOutbox = {
  /**
   * @param message read only if a webhook wants it, and then at once
   * @param more members in addition to those that all messages have
   */
  add(
    type: MailEvent,
    workspace: number,
    at: number,
    message: () => Soon<ToldMessage>,
    more?: object,
  ): Promise<void>;
  /** Call it in the same transaction. */
  book(): Promise<void>;
};

type MailingRow = Row<typeof mailings, "kind" | "sourceId"> &
  Row<typeof instance, "signingSecret"> & { sender: string | null };

const MAILING = `SELECT m.kind, m.source_id, i.signing_secret,
    (SELECT ${readableJson("content")} #>> '{from,address}' FROM mailing_contents WHERE mailing = m.seq) AS sender
  FROM mailings AS m CROSS JOIN instance AS i WHERE m.seq = $1`;

/** Writes the webhook messages about mail, in the transaction of the change. */
export function messageOutbox(tx: Session): MessageOutbox {
  const outbox = outboxWrites(tx);
  const dataOf = async ({ seq, mailing, address, contactId }: ToldMessage, more: object): Promise<string> => {
    const row = present(await tx.row<MailingRow>(MAILING, [mailing]), "mailing of a message");
    const { campaignId, automationId, domain } = toldMailing(row);
    const id = domain === null ? null : `${messageIdOf(row.signingSecret, seq)}@${domain}`;
    return JSON.stringify({ contactId, email: address, campaignId, automationId, messageId: id, ...more });
  };
  return {
    add: (type, workspace, at, message, more = {}) =>
      outbox.add(workspace, type, at, async () => await dataOf(await message(), more)),
    book: outbox.book,
  };
}
