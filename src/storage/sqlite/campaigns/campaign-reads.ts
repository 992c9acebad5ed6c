import { and, count, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { CAMPAIGN_STATUSES, type Campaign, type CampaignStatus } from "#campaigns/campaign.ts";
import type { CampaignLetter } from "#campaigns/options/options.ts";
import type { CampaignFilter, StoredCampaign } from "#campaigns/store.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { campaignBodies, campaignOptions, campaigns } from "#storage/sqlite/schema/tables/campaigns.ts";
import { mailings } from "#storage/sqlite/schema/tables/ledger.ts";
import { lists } from "#storage/sqlite/schema/tables/lists.ts";
import { recordCounts } from "#storage/sqlite/schema/tables/workspaces.ts";
import { storedOptions } from "#storage/common/campaigns/campaign-options.ts";
import { campaignOf } from "#storage/common/campaigns/campaign-row.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { searchInSlices, type Between } from "#storage/sqlite/search/search-in-slices.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import { present } from "#core/present.ts";

const SHOWN = {
  seq: campaigns.seq,
  id: campaigns.id,
  name: campaigns.name,
  subject: campaigns.subject,
  status: campaigns.status,
  listId: lists.id,
  scheduledAt: campaigns.scheduledAt,
  sentAt: campaigns.sentAt,
  createdAt: campaigns.createdAt,
  accepted: mailings.accepted,
  opened: mailings.opened,
  clicked: mailings.clicked,
  bounced: mailings.bounced,
  delivered: mailings.sent,
};

/** The queries for campaigns. */
export function campaignReads(database: SqliteDatabase) {
  const { orm } = database;
  const byId = orm
    .select({
      ...SHOWN,
      mailing: campaigns.mailing,
      blocked: campaigns.blocked,
      held: campaigns.held,
      paused: campaigns.paused,
      mailingHeld: mailings.held,
      options: campaignOptions.options,
    })
    .from(campaigns)
    .leftJoin(lists, eq(lists.seq, campaigns.list))
    .leftJoin(mailings, ITS_MAILING)
    .leftJoin(campaignOptions, eq(campaignOptions.campaign, campaigns.seq))
    .where(BY_ID)
    .prepare();

  const letterById = orm
    .select({
      name: campaigns.name,
      subject: campaigns.subject,
      html: campaignBodies.html,
      text: campaignBodies.text,
      options: campaignOptions.options,
    })
    .from(campaigns)
    .innerJoin(campaignBodies, eq(campaignBodies.campaign, campaigns.seq))
    .leftJoin(campaignOptions, eq(campaignOptions.campaign, campaigns.seq))
    .where(BY_ID)
    .prepare();

  return {
    find(workspace: number, id: string): (StoredCampaign & { seq: number }) | null {
      const row = byId.get({ id, workspace });
      if (!row) return null;
      const { mailing, blocked, paused, held, mailingHeld, options } = row;
      return {
        seq: row.seq,
        campaign: campaignOf(row),
        options: storedOptions(options),
        mailing,
        blocked,
        paused,
        held: held === 1 || ((mailingHeld ?? 0) & HELD.copy) !== 0,
      };
    },

    letter(workspace: number, id: string): CampaignLetter | null {
      const row = letterById.get({ id, workspace });
      if (!row) return null;
      const { options, text, ...letter } = row;
      return { ...letter, options: { ...storedOptions(options), text } };
    },

    page: campaignPages(database),
  };
}

/** Finds the mailing by its source, not by campaigns.mailing: a send that is still being planned can be held too. */
const ITS_MAILING = and(eq(mailings.kind, "campaign"), eq(mailings.sourceId, campaigns.id));
const BY_ID = and(
  eq(campaigns.id, sql.placeholder("id")),
  eq(campaigns.workspace, sql.placeholder("workspace")),
);

/** How many campaigns of a status a search reads in one turn of the event loop: some milliseconds. */
const SLICE = 1_024;

function campaignPages({ orm }: SqliteDatabase) {
  const countAll = (workspace: number, statuses: readonly CampaignStatus[]): number => {
    const ofStatus = and(
      eq(recordCounts.workspace, workspace),
      eq(recordCounts.kind, "campaign"),
      inArray(recordCounts.status, statuses),
    );
    const n = sql<number>`coalesce(sum(${recordCounts.n}), 0)`;
    return present(orm.select({ n }).from(recordCounts).where(ofStatus).get(), "count of campaigns").n;
  };

  const countFound = (workspace: number, statuses: readonly CampaignStatus[], found: SQL): number => {
    const ofStatus = and(eq(campaigns.workspace, workspace), inArray(campaigns.status, statuses), found);
    return present(orm.select({ n: count() }).from(campaigns).where(ofStatus).get(), "count of campaigns").n;
  };

  /** The last of as many of each status as a slice has, or null if no status has so many. */
  const sliceOf = (workspace: number, statuses: readonly CampaignStatus[], before: number): number | null => {
    const ends = statuses.map(
      (
        status,
      ) => sql`SELECT (SELECT ${campaigns.seq} FROM ${campaigns} WHERE ${campaigns.workspace} = ${workspace}
        AND ${campaigns.status} = ${status} AND ${campaigns.seq} < ${before}
        ORDER BY ${campaigns.seq} DESC LIMIT 1 OFFSET ${SLICE - 1}) AS seq`,
    );
    const last = sql<number | null>`(SELECT max(seq) FROM (${sql.join(ends, sql` UNION ALL `)}))`;
    return present(
      orm
        .select({ last })
        .from(sql`(SELECT 1)`)
        .get(),
      "end of a slice",
    ).last;
  };

  return async (
    workspace: number,
    { status, q }: CampaignFilter,
    { limit, before }: PageRequest,
  ): Promise<Page<Campaign>> => {
    const statuses = status === null ? CAMPAIGN_STATUSES : [status];
    const term = searchTermOf(q ?? "");
    const newest = (where: SQL, most: number) => pageRows(orm, { workspace, statuses, where, most });
    const all = () => ({
      rows: newest(sql`${campaigns.seq} < ${before ?? Number.MAX_SAFE_INTEGER}`, limit + 1),
      total: countAll(workspace, statuses),
    });
    const found = (range: Between): SQL =>
      sql`${campaigns.seq} > ${range.after} AND ${campaigns.seq} < ${range.before} AND instr(${campaigns.search}, ${term}) > 0`;
    const searched = {
      startOf: (end: number) => (sliceOf(workspace, statuses, end) ?? 1) - 1,
      count: (range: Between) => countFound(workspace, statuses, found(range)),
      newest: (range: Between, most: number) => newest(found(range), most),
    };
    const { rows, total } = term === "" ? all() : await searchInSlices(searched, { rows: limit + 1, before });
    return pageOf(rows, total, limit, { position: (row) => row.seq, item: campaignOf });
  };
}

type Wanted = {
  readonly workspace: number;
  readonly statuses: readonly CampaignStatus[];
  readonly where: SQL;
  readonly most: number;
};

/** One range of the index per status, merged: a page costs the same however many campaigns there are. */
function pageRows(orm: SqliteDatabase["orm"], { workspace, statuses, where, most }: Wanted) {
  const ranges = statuses.map(
    (
      status,
    ) => sql`SELECT * FROM (SELECT ${campaigns.seq} FROM ${campaigns} WHERE ${campaigns.workspace} = ${workspace}
      AND ${campaigns.status} = ${status} AND ${where} ORDER BY ${campaigns.seq} DESC LIMIT ${most})`,
  );
  return orm
    .select(SHOWN)
    .from(campaigns)
    .leftJoin(lists, eq(lists.seq, campaigns.list))
    .leftJoin(mailings, ITS_MAILING)
    .where(sql`${campaigns.seq} IN (${sql.join(ranges, sql` UNION ALL `)})`)
    .orderBy(desc(campaigns.seq))
    .limit(most)
    .all();
}
