import { notFound } from "#core/errors/errors.ts";
import type { Contact } from "#contacts/contact.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type {
  deliveries,
  deliveryValues,
  mailingContents,
  mailings,
  workspaces,
} from "#storage/postgres/schema/schema.ts";

type Values = Pick<LedgerStore, "content" | "saveContent" | "people" | "saveValues" | "sentLetter">;
type ContentRow = Row<typeof mailingContents, "content"> & { readonly offersPreferences: boolean };
type SentRow = Row<typeof mailings, "kind" | "sourceId"> &
  ContentRow &
  Row<typeof deliveries, "address"> & {
    number: Value<typeof mailings, "seq">;
    workspaceId: Value<typeof workspaces, "id">;
    kept: Value<typeof deliveryValues, "kept"> | null;
    at: number | null;
  };

/** The columns of a `ContentRow`, where `mailing_contents` is `l` and `mailings` is `m`. */
const CONTENT_COLUMNS = `l.content,
  EXISTS (SELECT FROM lists AS p WHERE p.workspace = m.workspace AND p.is_public) AS offers_preferences`;
const CONTENT = `SELECT ${CONTENT_COLUMNS} FROM mailing_contents AS l JOIN mailings AS m ON m.seq = l.mailing
  WHERE l.mailing = $1`;
const SAVE_CONTENT = "UPDATE mailing_contents SET content = $2 WHERE mailing = $1";
const PEOPLE = `SELECT d.seq AS message, ${CONTACT_COLUMNS} FROM deliveries AS d JOIN contacts AS c ON c.seq = d.contact
  LEFT JOIN contact_attributes AS a ON a.contact = c.seq WHERE d.seq = ANY($1::int8[])`;
/** The contact stays until its values are written: they are deleted with it. */
const SAVE_VALUES = `INSERT INTO delivery_values (delivery, contact, at, kept)
  SELECT d.seq, c.seq, $3, $2 FROM deliveries AS d JOIN contacts AS c ON c.seq = d.contact WHERE d.seq = $1 FOR KEY SHARE OF c
  ON CONFLICT (delivery) DO UPDATE SET at = excluded.at, kept = excluded.kept`;
const SENT = `SELECT m.seq AS number, w.id AS workspace_id, m.kind, m.source_id, ${CONTENT_COLUMNS}, d.address, v.kept,
    coalesce(v.at, d.first_attempt_at) AS at
  FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing JOIN workspaces AS w ON w.seq = m.workspace
  JOIN mailing_contents AS l ON l.mailing = m.seq JOIN contacts AS c ON c.seq = d.contact
  LEFT JOIN delivery_values AS v ON v.delivery = d.seq WHERE d.seq = $1 AND m.kind = 'campaign'`;

/** The contacts that messages are for, by message number. */
export async function messagePeople(
  { rows }: Session,
  messages: readonly number[],
): Promise<ReadonlyMap<number, Contact>> {
  const found = await rows<ContactRow & { message: number }>(PEOPLE, [messages]);
  return new Map(found.map(({ message, ...row }) => [message, contactOf(row)]));
}

/** The letters, the values for personal messages, and what is stored of them. */
export function messageValues({ read, write }: PostgresDatabase): Values {
  return {
    async content(mailing) {
      const row = await read((session) => session.row<ContentRow>(CONTENT, [mailing]));
      if (row === null) throw notFound(`The letter of mailing ${mailing}`);
      return frozenContent(row);
    },

    async saveContent(mailing, content) {
      await write((tx) => tx.run(SAVE_CONTENT, [mailing, JSON.stringify(content)]));
    },

    people: (messages) => read((session) => messagePeople(session, messages)),

    async saveValues(message, kept, at) {
      await write((tx) => tx.run(SAVE_VALUES, [message, kept, at]));
    },

    async sentLetter(message) {
      const row = await read((session) => session.row<SentRow>(SENT, [message]));
      if (row === null || row.at === null) return null;
      const { content, offersPreferences, at, kept, address, ...mailing } = row;
      return { mailing, content: frozenContent({ content, offersPreferences }), address, kept, at };
    },
  };
}

/** The frozen letter, and what is not frozen: whether the workspace has public lists now. */
const frozenContent = ({ content, offersPreferences }: ContentRow): MailingContent => ({
  ...(JSON.parse(content) as MailingContent),
  offersPreferences,
});
