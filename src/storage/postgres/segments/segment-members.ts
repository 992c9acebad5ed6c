import type { ContactFilter } from "#contacts/contact-filter.ts";
import type { Instant } from "#core/time/clock.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { storedRule } from "#segments/rules-input.ts";
import type { SegmentCount } from "#segments/segment.ts";
import type { SegmentMembersStore } from "#segments/store.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import { CONTACTS, contactOf, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { patternOf } from "#storage/postgres/search/contains.ts";
import { answerOf } from "./contact-set.ts";
import type { LongQuestions } from "./long-questions.ts";
import { namedThings } from "./named-things.ts";
import { RuleSql } from "./rule-sql.ts";
import { StatementValues } from "./statement-values.ts";

/** How many contact numbers arrive at a time, and how many contacts are read at once: some milliseconds' work. */
const SLICE = 5_000;
const PIECE = 200;

const EVERYBODY: ContactFilter = { status: null, tag: null, q: null };

export function segmentMembers(
  { read, seqOf }: PostgresDatabase,
  questions: LongQuestions,
): SegmentMembersStore {
  return {
    async count(workspaceId, rules, now) {
      const workspace = await seqOf(workspaceId);
      return await questions(workspace, async (session) => {
        const { of, where, values } = await membersOf(session, workspace, { rules, now, filter: EVERYBODY });
        const counted = await session.row<SegmentCount>(
          `${of.with} SELECT count(*) AS total, count(*) FILTER (WHERE c.status = 'SUBSCRIBED') AS subscribed
           FROM contacts AS c WHERE ${where}`,
          values.all,
        );
        return present(counted, "count of a segment");
      });
    },

    async preview(workspaceId, rules, now, sample) {
      const workspace = await seqOf(workspaceId);
      return await questions(workspace, async (session) => {
        const members = await membersOf(session, workspace, { rules, now, filter: EVERYBODY });
        const { rows, ...count } = await answerOf(session, members, { limit: sample, before: null });
        return { ...count, sample: rows.map(contactOf) };
      });
    },

    async page(workspaceId, asked, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      return await questions(workspace, async (session) => {
        const members = await membersOf(session, workspace, asked);
        const { rows, total } = await answerOf(session, members, { limit: limit + 1, before });
        return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: contactOf });
      });
    },

    async *walk(workspaceId, asked) {
      const workspace = await seqOf(workspaceId);
      const slices = await questions(workspace, (session) => numbersOf(session, workspace, asked));
      for (const slice of slices)
        for (let from = 0; from < slice.length; from += PIECE) {
          const seqs = slice.slice(from, from + PIECE);
          const rows = await read((session) => session.rows<ContactRow>(BY_NUMBER, [seqs]));
          yield rows.map(contactOf);
        }
    },
  };
}

const BY_NUMBER = `${CONTACTS} WHERE c.seq = ANY($1::int8[]) ORDER BY c.seq DESC`;

type Asked = { readonly rules: JsonValue; readonly now: Instant; readonly filter: ContactFilter };

/** The contacts of a workspace that fit the rules and that a list of contacts with this filter shows. */
async function membersOf(session: Session, workspace: number, { rules, now, filter }: Asked) {
  const rule = storedRule(rules);
  const values = new StatementValues();
  const of = new RuleSql(workspace, now, await namedThings(session, workspace, [rule]), values);
  const where = [of.isInWorkspace, of.holds(rule), ...filterSql(filter, of, values)].join(" AND ");
  return { of, where, values };
}

/** The contacts that a list shows: see `GET /contacts`. */
function filterSql({ status, tag, q }: ContactFilter, of: RuleSql, values: StatementValues): string[] {
  const term = searchTermOf(q ?? "");
  return [
    ...(status === null ? [] : [`c.status = ${values.add(status, "text")}`]),
    ...(tag === null ? [] : [tag.includes("\0") ? "false" : of.isTagged(tag)]),
    // No stored text has NUL, and PostgreSQL does not accept it in a text.
    ...(term === ""
      ? []
      : [term.includes("\0") ? "false" : `c.search LIKE ${values.add(patternOf(term), "text")}`]),
  ];
}

/** The numbers of all members, newest first, in slices: nobody waits while a million of them arrive. */
async function numbersOf(session: Session, workspace: number, asked: Asked): Promise<number[][]> {
  const { of, where, values } = await membersOf(session, workspace, asked);
  await session.run(
    `DECLARE members NO SCROLL CURSOR FOR ${of.with} SELECT c.seq FROM contacts AS c WHERE ${where} ORDER BY c.seq DESC`,
    values.all,
  );
  const slices: number[][] = [];
  for (;;) {
    const rows = await session.rows<{ seq: number }>(`FETCH ${SLICE} FROM members`);
    slices.push(rows.map(({ seq }) => seq));
    if (rows.length < SLICE) return slices;
  }
}
