import type { AudienceStore, AudienceTally } from "#campaigns/send/audience.ts";
import type { LeftOutReason } from "#campaigns/check/left-out.ts";
import { pageOf } from "#core/request/page.ts";
import { contactOf } from "#storage/postgres/contacts/contact-row.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { sendingUsage } from "#storage/postgres/schema/schema.ts";
import { answerOf } from "#storage/postgres/segments/contact-set.ts";
import type { LongQuestions } from "#storage/postgres/segments/long-questions.ts";
import { StatementValues } from "#storage/postgres/segments/statement-values.ts";
import { audienceSql, type AudienceSql } from "./audience-sql.ts";
import { namedAddresses } from "./named-addresses.ts";

const USED = "SELECT n FROM sending_usage WHERE workspace = $1 AND period = $2";
/** A short campaign does not show the pace, and the last messages of a long one may have waited for hours. */
const PACE = `SELECT max(t.accepted * 1000.0 / greatest(1, m.finished_at - m.started_at))::float8 AS pace
  FROM (SELECT mailing FROM campaigns WHERE workspace = $1 AND status = 'SENT' ORDER BY seq DESC LIMIT 20) AS c
    JOIN mailings AS m ON m.seq = c.mailing
    CROSS JOIN LATERAL (SELECT sum(accepted) AS accepted FROM tallies WHERE mailing = m.seq) AS t
  WHERE t.accepted >= 100`;

export function audienceStore({ read, seqOf }: PostgresDatabase, questions: LongQuestions): AudienceStore {
  return {
    async tally(workspaceId, audience, { excludeEmails, domains }, now) {
      const workspace = await seqOf(workspaceId);
      return await questions(workspace, async (session) => {
        const values = new StatementValues();
        const sql = await audienceSql(session, workspace, audience, { now, values });
        const named = values.add(namedAddresses(excludeEmails), "text");
        const places = values.add(JSON.stringify(placesOf(domains)), "text");
        const excluded = `(${sql.excluded} OR c.email IN (SELECT jsonb_array_elements_text(${named}::jsonb)))`;
        const reason = `CASE ${REASONS.map((each) => `WHEN ${leftOutFor({ ...sql, excluded }, each)} THEN '${each}'`).join(" ")} END`;
        const rows = await session.rows<CountedRow>(
          `${sql.of.with} SELECT t.reason, g.place::int8 AS place, count(*) AS n FROM (
             SELECT ${reason} AS reason, substr(c.email, strpos(c.email, '@') + 1) AS domain
             FROM contacts AS c WHERE ${sql.asked}) AS t
           LEFT JOIN jsonb_each_text(${places}::jsonb) AS g (domain, place) ON g.domain = t.domain
           GROUP BY t.reason, g.place`,
          values.all,
        );
        return tallyOf(rows, domains.length);
      });
    },

    async leftOut(workspaceId, audience, { reason, page }, now) {
      const workspace = await seqOf(workspaceId);
      return await questions(workspace, async (session) => {
        const values = new StatementValues();
        // A statement may not have values that it does not use.
        const used = reason === "NOT_SUBSCRIBED" ? { ...audience, ...NO_EXCLUSIONS } : audience;
        const sql = await audienceSql(session, workspace, used, { now, values });
        const set = { of: sql.of, where: leftOutSql(sql, reason), values };
        const { rows, total } = await answerOf(session, set, { limit: page.limit + 1, before: page.before });
        return pageOf(rows, total, page.limit, { position: ({ seq }) => seq, item: contactOf });
      });
    },

    async used(workspaceId, period) {
      const workspace = await seqOf(workspaceId);
      const used = await read(({ row }) => row<Row<typeof sendingUsage, "n">>(USED, [workspace, period]));
      return used?.n ?? 0;
    },

    async pace(workspaceId) {
      const workspace = await seqOf(workspaceId);
      const best = await read(({ row }) => row<{ pace: number | null }>(PACE, [workspace]));
      return best?.pace ?? null;
    },
  };
}

const NO_EXCLUSIONS = { excludeListIds: [], excludeSegmentIds: [] };

/** In the order of a plan: a contact counts once, with the first reason that applies. */
const REASONS = ["EXCLUDED", "SUPPRESSED", "BLOCKED_DOMAIN"] as const;

type CountedRow = {
  readonly reason: (typeof REASONS)[number] | null;
  readonly place: number | null;
  readonly n: number;
};

const leftOutFor = (
  { of, excluded }: Pick<AudienceSql, "of" | "excluded">,
  reason: (typeof REASONS)[number],
): string =>
  ({ EXCLUDED: excluded, SUPPRESSED: of.isSuppressed, BLOCKED_DOMAIN: of.isOnBlockedDomain })[reason];

/** Who is left out for a reason, or for any reason of the tally (null). */
function leftOutSql(sql: AudienceSql, reason: LeftOutReason | null): string {
  if (reason === "NOT_SUBSCRIBED") return `${sql.chosen} AND c.status <> 'SUBSCRIBED'`;
  if (reason === null)
    return `${sql.asked} AND (${REASONS.map((each) => leftOutFor(sql, each)).join(" OR ")})`;
  const before = REASONS.slice(0, REASONS.indexOf(reason)).map((each) => `NOT ${leftOutFor(sql, each)}`);
  return [sql.asked, ...before, leftOutFor(sql, reason)].join(" AND ");
}

/** Which group each domain belongs to. */
const placesOf = (domains: readonly (readonly string[])[]): Record<string, number> =>
  Object.fromEntries(domains.flatMap((group, place) => group.map((domain) => [domain, place])));

function tallyOf(rows: readonly CountedRow[], groups: number): AudienceTally {
  const sumOf = (some: readonly CountedRow[]): number => some.reduce((sum, { n }) => sum + n, 0);
  const skippedFor = (reason: CountedRow["reason"]): number =>
    sumOf(rows.filter((row) => row.reason === reason));
  const mailable = rows.filter(({ reason }) => reason === null);
  return {
    mailable: sumOf(mailable),
    ofDomains: Array.from({ length: groups }, (_, i) => sumOf(mailable.filter(({ place }) => place === i))),
    skipped: {
      EXCLUDED: skippedFor("EXCLUDED"),
      SUPPRESSED: skippedFor("SUPPRESSED"),
      BLOCKED_DOMAIN: skippedFor("BLOCKED_DOMAIN"),
    },
  };
}
