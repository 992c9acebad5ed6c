import type { Database } from "bun:sqlite";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { present } from "#core/present.ts";
import { remembering } from "#core/remembered.ts";
import { messageIdOf } from "#deliveries/token.ts";
import { toldMailing, type ToldMailing } from "#storage/common/webhooks/told-message.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { contacts, deliveries, instance, mailings } from "#storage/sqlite/schema/schema.ts";
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
  add(type: MailEvent, workspace: number, at: number, message: () => ToldMessage, more?: object): void;
  /** `Outbox.size` */
  readonly size: number;
  /** Call it in the same transaction. */
  book(): void;
};

type MailingRow = Row<typeof mailings, "kind" | "sourceId"> & { sender: string | null };

/** Writes the webhook messages about mail, in the transaction of the change. */
export const messageOutbox = oncePerDatabase((sqlite): (() => MessageOutbox) => {
  const newOutbox = outboxWrites(sqlite);
  const mailingOf = mailingReader(sqlite);
  const messageId = messageIds(sqlite);

  const dataOf = ({ seq, mailing, address, contactId }: ToldMessage, more: object): string => {
    const { campaignId, automationId, domain } = present(mailingOf(mailing), "mailing of a message");
    const id = domain === null ? null : `${messageId(seq)}@${domain}`;
    return JSON.stringify({ contactId, email: address, campaignId, automationId, messageId: id, ...more });
  };

  return () => {
    const outbox = newOutbox();
    return {
      add: (type, workspace, at, message, more = {}) =>
        outbox.add(workspace, type, at, () => dataOf(message(), more)),
      get size() {
        return outbox.size;
      },
      book: outbox.book,
    };
  };
});

const REMEMBERED_MAX = 1_000;

function mailingReader(sqlite: Database): (mailing: number) => ToldMailing | null {
  const find = sqlite.query<MailingRow, [number]>(
    `SELECT kind, source_id AS sourceId,
       (SELECT json_extract(content, '$.from.address') FROM mailing_contents WHERE mailing = seq) AS sender
     FROM mailings WHERE seq = ?`,
  );
  return remembering(REMEMBERED_MAX, (mailing: number): ToldMailing | null => {
    const row = find.get(mailing);
    return row === null ? null : toldMailing(row);
  });
}

/** The local part of a message's Message-ID, as its letter has it. */
function messageIds(sqlite: Database): (message: number) => string {
  const stored = sqlite.query<Row<typeof instance, "signingSecret">, []>(
    "SELECT signing_secret AS signingSecret FROM instance",
  );
  let secret: Uint8Array | null = null;
  return (message) =>
    messageIdOf((secret ??= present(stored.get(), "signing secret").signingSecret), message);
}
