import type { PageRequest } from "#core/request/page.ts";
import { CONTACT_COLUMNS, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { RuleSql } from "./rule-sql.ts";
import type { StatementValues } from "./statement-values.ts";

/** A set of contacts `c`, given by the condition `where`, which `of` made with these values. */
export type ContactSet = {
  readonly of: RuleSql;
  readonly where: string;
  readonly values: StatementValues;
};

/** How many there are, and at most `limit` of them before a position, newest first. */
type SetAnswer = { readonly total: number; readonly subscribed: number; readonly rows: ContactRow[] };

type AnswerRow = Pick<SetAnswer, "total" | "subscribed"> & (ContactRow | { readonly seq: null });

/** Finds the members once, and counts and shows them from that. */
export async function answerOf(
  session: Session,
  { of, where, values }: ContactSet,
  { limit, before }: PageRequest,
): Promise<SetAnswer> {
  const newest = `SELECT seq FROM members WHERE seq < ${values.add(before ?? Number.MAX_SAFE_INTEGER, "int8")}
    ORDER BY seq DESC LIMIT ${values.add(limit, "int8")}`;
  const members = `members AS MATERIALIZED (SELECT c.seq, c.status FROM contacts AS c WHERE ${where})`;
  const found = await session.rows<AnswerRow>(
    `${of.with === "" ? "WITH" : `${of.with},`} ${members}
     SELECT counted.total, counted.subscribed, ${CONTACT_COLUMNS}
     FROM (SELECT count(*) AS total, count(*) FILTER (WHERE status = 'SUBSCRIBED') AS subscribed FROM members) AS counted
     LEFT JOIN ((${newest}) AS newest JOIN contacts AS c USING (seq)
       LEFT JOIN contact_attributes AS a ON a.contact = c.seq) ON true
     ORDER BY c.seq DESC`,
    values.all,
  );
  return {
    total: found[0]?.total ?? 0,
    subscribed: found[0]?.subscribed ?? 0,
    rows: found.flatMap(({ total: _total, subscribed: _subscribed, ...row }) =>
      row.seq === null ? [] : row,
    ),
  };
}
