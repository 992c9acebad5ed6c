import type { MailingContent } from "#deliveries/ledger.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { mailingContents } from "#storage/sqlite/schema/schema.ts";

export type ContentRow = Row<typeof mailingContents, "content"> & { readonly offersPreferences: number };

/** The columns for `contentOf`, where `mailing_contents` is `l` and `mailings` is `m`. */
export const CONTENT_COLUMNS = `l.content,
  EXISTS (SELECT 1 FROM lists AS p WHERE p.workspace = m.workspace AND p.is_public = 1) AS offersPreferences`;

/** The frozen letter, and what is not frozen: whether the workspace has public lists now. */
export const contentOf = ({ content, offersPreferences }: ContentRow): MailingContent => ({
  ...(JSON.parse(content) as MailingContent),
  offersPreferences: offersPreferences === 1,
});
