import type { Database } from "bun:sqlite";
import type { Contact } from "#contacts/contact.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { contactOf, CONTACT_COLUMNS, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { deliveries, deliveryValues, mailings, workspaces } from "#storage/sqlite/schema/schema.ts";
import { CONTENT_COLUMNS, contentOf, type ContentRow } from "./frozen-content.ts";

type Values = Pick<LedgerStore, "saveContent" | "people" | "saveValues" | "sentLetter">;
type SentRow = Row<typeof mailings, "kind" | "sourceId"> &
  ContentRow &
  Row<typeof deliveries, "address"> & {
    number: Value<typeof mailings, "seq">;
    workspaceId: Value<typeof workspaces, "id">;
    kept: Value<typeof deliveryValues, "kept"> | null;
    at: number | null;
  };

/** The contacts that messages are for, by message number. */
export function messagePeople(sqlite: Database): (messages: readonly number[]) => Map<number, Contact> {
  const people = sqlite.query<ContactRow & { message: Value<typeof deliveries, "seq"> }, [string]>(
    `SELECT d.seq AS message, ${CONTACT_COLUMNS}
     FROM json_each(?) CROSS JOIN deliveries d ON d.seq = json_each.value JOIN contacts c ON c.seq = d.contact`,
  );
  return (messages) =>
    new Map(people.all(JSON.stringify(messages)).map((row) => [row.message, contactOf(row)]));
}

/** The values for personal messages, and what is stored of them. */
export function messageValues({ sqlite, writes }: SqliteDatabase): Values {
  const saveContent = sqlite.query<null, [string, number]>(
    "UPDATE mailing_contents SET content = ? WHERE mailing = ?",
  );
  const peopleOf = messagePeople(sqlite);
  const save = sqlite.query<null, [number, string, number]>(
    `INSERT INTO delivery_values SELECT seq, contact, ?3, ?2 FROM deliveries WHERE seq = ?1 AND contact IS NOT NULL
     ON CONFLICT DO UPDATE SET at = excluded.at, kept = excluded.kept`,
  );
  const sent = sqlite.query<SentRow, [number]>(
    `SELECT m.seq AS number, w.id AS workspaceId, m.kind, m.source_id AS sourceId, ${CONTENT_COLUMNS}, d.address, v.kept,
       coalesce(v.at, d.first_attempt_at) AS at
     FROM deliveries d JOIN mailings m ON m.seq = d.mailing JOIN workspaces w ON w.seq = m.workspace
     JOIN mailing_contents l ON l.mailing = m.seq JOIN contacts c ON c.seq = d.contact
     LEFT JOIN delivery_values v ON v.delivery = d.seq WHERE d.seq = ? AND m.kind = 'campaign'`,
  );

  return {
    saveContent: (mailing, content) =>
      writes.write(() => void saveContent.run(JSON.stringify(content), mailing)),

    people: async (messages) => peopleOf(messages),

    saveValues: (message, kept, at) => writes.write(() => void save.run(message, kept, at)),

    async sentLetter(message) {
      const row = sent.get(message);
      if (row === null || row.at === null) return null;
      const { content, offersPreferences, at, kept, address, ...mailing } = row;
      return { mailing, content: contentOf({ content, offersPreferences }), address, kept, at };
    },
  };
}
