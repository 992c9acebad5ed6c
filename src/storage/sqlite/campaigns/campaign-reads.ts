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
const contains = (q: string): SQL => sql`instr(${campaigns.search}, ${q}) > 0`;

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

  const countFound = (workspace: number, statuses: readonly CampaignStatus[], q: string): number => {
    const found = and(eq(campaigns.workspace, workspace), inArray(campaigns.status, statuses), contains(q));
    return present(orm.select({ n: count() }).from(campaigns).where(found).get(), "count of campaigns").n;
  };

  return (workspace: number, { status, q }: CampaignFilter, page: PageRequest): Page<Campaign> => {
    const statuses = status === null ? CAMPAIGN_STATUSES : [status];
    const wanted = searchTermOf(q ?? "") || null;
    const rows = pageRows(orm, { workspace, statuses, q: wanted }, page);
    const total = wanted === null ? countAll(workspace, statuses) : countFound(workspace, statuses, wanted);
    return pageOf(rows, total, page.limit, { position: (row) => row.seq, item: campaignOf });
  };
}

type Wanted = {
  readonly workspace: number;
  readonly statuses: readonly CampaignStatus[];
  readonly q: string | null;
};

/** One range of the index per status, merged: a page costs the same however many campaigns there are. */
function pageRows(orm: SqliteDatabase["orm"], { workspace, statuses, q }: Wanted, page: PageRequest) {
  const before = page.before === null ? sql`` : sql`AND ${campaigns.seq} < ${page.before}`;
  const found = q === null ? sql`` : sql`AND ${contains(q)}`;
  const ranges = statuses.map(
    (
      status,
    ) => sql`SELECT * FROM (SELECT ${campaigns.seq} FROM ${campaigns} WHERE ${campaigns.workspace} = ${workspace}
      AND ${campaigns.status} = ${status} ${before} ${found} ORDER BY ${campaigns.seq} DESC LIMIT ${page.limit + 1})`,
  );
  return orm
    .select(SHOWN)
    .from(campaigns)
    .leftJoin(lists, eq(lists.seq, campaigns.list))
    .leftJoin(mailings, ITS_MAILING)
    .where(sql`${campaigns.seq} IN (${sql.join(ranges, sql` UNION ALL `)})`)
    .orderBy(desc(campaigns.seq))
    .limit(page.limit + 1)
    .all();
}
