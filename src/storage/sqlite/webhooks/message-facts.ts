import type { Database } from "bun:sqlite";
import { domainOf } from "#core/email-address.ts";
import { present } from "#core/present.ts";
import { tokensOf } from "#deliveries/token.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { contacts, deliveries, instance, mailings } from "#storage/sqlite/schema/schema.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites } from "./outbox-writes.ts";

type MailEvent = Extract<EventType, `email.${string}`>;

/** A row of the ledger. */
type Message = { readonly workspace: number; readonly seq: number };

/** What webhooks are told of messages in one transaction. Nothing is written before `book`. */
export type MessageFacts = {
  /** @param more members beside those that all messages have; asked for only if somebody listens */
  add(type: MailEvent, message: Message, at: number, more?: () => object): void;
  /** Call it in the same transaction. */
  book(): void;
};

type MessageRow = Row<typeof deliveries, "mailing" | "address"> & {
  contactId: Value<typeof contacts, "id"> | null;
};
type MailingRow = Row<typeof mailings, "kind" | "sourceId"> & { sender: string | null };

/** Tells webhooks what becomes of messages, on the transaction that writes it. */
export function messageFacts(sqlite: Database): () => MessageFacts {
  const newOutbox = outboxWrites(sqlite);
  const find = sqlite.query<MessageRow, [number]>(
    `SELECT d.mailing, d.address, c.id AS contactId FROM deliveries AS d LEFT JOIN contacts AS c ON c.seq = d.contact
     WHERE d.seq = ?`,
  );
  const mailingOf = mailingReader(sqlite);
  const messageId = messageIds(sqlite);

  const dataOf = (seq: number, more: object): string => {
    const { mailing, address, contactId } = present(find.get(seq), "message that an event is about");
    const { campaignId, automationId, domain } = mailingOf(mailing);
    const id = domain === null ? null : `${messageId(seq)}@${domain}`;
    return JSON.stringify({ contactId, email: address, campaignId, automationId, messageId: id, ...more });
  };

  return () => {
    const outbox = newOutbox();
    return {
      add: (type, { workspace, seq }, at, more = () => ({})) =>
        outbox.add(workspace, type, at, () => dataOf(seq, more())),
      book: outbox.book,
    };
  };
}

/** What all messages of a mailing share; it never changes once the first was offered to a relay. */
type Shared = {
  readonly campaignId: string | null;
  readonly automationId: string | null;
  readonly domain: string | null;
};

const REMEMBERED_MAX = 1_000;

function mailingReader(sqlite: Database): (mailing: number) => Shared {
  const find = sqlite.query<MailingRow, [number]>(
    `SELECT kind, source_id AS sourceId,
       (SELECT json_extract(content, '$.from.address') FROM mailing_contents WHERE mailing = seq) AS sender
     FROM mailings WHERE seq = ?`,
  );
  const remembered = new Map<number, Shared>();
  return (mailing) => {
    const known = remembered.get(mailing);
    if (known !== undefined) return known;
    const { kind, sourceId, sender } = present(find.get(mailing), "mailing of a message");
    const source = sourceId.split(":", 1)[0] ?? sourceId;
    const shared = {
      campaignId: kind === "campaign" ? source : null,
      automationId: kind === "automation" ? source : null,
      domain: sender === null ? null : domainOf(sender),
    };
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(mailing, shared);
    return shared;
  };
}

/** The local part of a message's Message-ID, as its letter has it. */
function messageIds(sqlite: Database): (message: number) => string {
  const stored = sqlite.query<Row<typeof instance, "signingSecret">, []>(
    "SELECT signing_secret AS signingSecret FROM instance",
  );
  let secret: Uint8Array | null = null;
  return (message) =>
    tokensOf((secret ??= present(stored.get(), "signing secret").signingSecret), message).messageId;
}
