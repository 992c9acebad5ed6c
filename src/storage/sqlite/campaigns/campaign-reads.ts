import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { CAMPAIGN_STATUSES, type Campaign, type CampaignStatus } from "#campaigns/campaign.ts";
import type { CampaignFilter, StoredCampaign } from "#campaigns/store.ts";
import { pageOf, type Page, type PageRequest } from "#core/page.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { campaignBodies, campaigns, lists, mailings, recordCounts } from "#storage/sqlite/schema/schema.ts";
import { searchTermOf } from "#storage/sqlite/search/search-text.ts";
import { required } from "#storage/sqlite/engine/required.ts";

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
};

type ShownRow = Pick<
  Campaign,
  "id" | "name" | "subject" | "status" | "listId" | "scheduledAt" | "sentAt" | "createdAt"
> & {
  seq: number;
  accepted: number | null;
  opened: number | null;
  clicked: number | null;
  bounced: number | null;
};

/** The queries for campaigns. */
export function campaignReads({ orm }: SqliteDatabase) {
  // Found by its source, not by campaigns.mailing: a send that is still being planned can be held too.
  const itsMailing = and(eq(mailings.kind, "campaign"), eq(mailings.sourceId, campaigns.id));
  const byId = orm
    .select({
      ...SHOWN,
      mailing: campaigns.mailing,
      blocked: campaigns.blocked,
      held: campaigns.held,
      mailingHeld: mailings.held,
    })
    .from(campaigns)
    .leftJoin(lists, eq(lists.seq, campaigns.list))
    .leftJoin(mailings, itsMailing)
    .where(
      and(eq(campaigns.id, sql.placeholder("id")), eq(campaigns.workspace, sql.placeholder("workspace"))),
    )
    .prepare();

  const letterById = orm
    .select({ subject: campaigns.subject, html: campaignBodies.html })
    .from(campaigns)
    .innerJoin(campaignBodies, eq(campaignBodies.campaign, campaigns.seq))
    .where(
      and(eq(campaigns.id, sql.placeholder("id")), eq(campaigns.workspace, sql.placeholder("workspace"))),
    )
    .prepare();

  const countAll = (workspace: number, statuses: readonly CampaignStatus[]): number => {
    const counts = orm
      .select({ status: recordCounts.status, n: recordCounts.n })
      .from(recordCounts)
      .where(and(eq(recordCounts.workspace, workspace), eq(recordCounts.kind, "campaign")))
      .all();
    return counts.reduce(
      (sum, { status, n }) => sum + (statuses.includes(status as CampaignStatus) ? n : 0),
      0,
    );
  };

  const countFound = (workspace: number, statuses: readonly CampaignStatus[], q: string): number =>
    required(
      orm.all<{ n: number }>(
        sql`SELECT count(*) AS n FROM ${campaigns} WHERE ${campaigns.workspace} = ${workspace}
        AND ${campaigns.status} IN ${statuses} AND ${contains(q)}`,
      )[0],
    ).n;

  const pageRows = (
    workspace: number,
    statuses: readonly CampaignStatus[],
    q: string | null,
    page: PageRequest,
  ) => {
    const before = page.before === null ? sql`` : sql`AND ${campaigns.seq} < ${page.before}`;
    const found = q === null ? sql`` : sql`AND ${contains(q)}`;
    // One range of the index for each status, merged: a page costs the same however many campaigns there are.
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
      .leftJoin(mailings, itsMailing)
      .where(sql`${campaigns.seq} IN (${sql.join(ranges, sql` UNION ALL `)})`)
      .orderBy(desc(campaigns.seq))
      .limit(page.limit + 1)
      .all();
  };

  return {
    find(workspace: number, id: string): (StoredCampaign & { seq: number }) | null {
      const row = byId.get({ id, workspace });
      if (!row) return null;
      const { mailing, blocked, held, mailingHeld } = row;
      return {
        seq: row.seq,
        campaign: campaignOf(row),
        mailing,
        blocked,
        held: held === 1 || mailingHeld === 1,
      };
    },

    letter: (workspace: number, id: string): { subject: string; html: string } | null =>
      letterById.get({ id, workspace }) ?? null,

    page(workspace: number, { status, q }: CampaignFilter, page: PageRequest): Page<Campaign> {
      const statuses = status === null ? CAMPAIGN_STATUSES : [status];
      const wanted = searchTermOf(q ?? "") || null;
      const rows = pageRows(workspace, statuses, wanted, page);
      const total = wanted === null ? countAll(workspace, statuses) : countFound(workspace, statuses, wanted);
      return pageOf(rows, total, page.limit, { position: (row) => row.seq, item: campaignOf });
    },
  };
}

const contains = (q: string): SQL => sql`instr(${campaigns.search}, ${q}) > 0`;

/** `stat` is null until the relay has accepted a message; its `unsubscribed` stays 0 by contract. */
function campaignOf(row: ShownRow): Campaign {
  const { seq: _, accepted, opened, clicked, bounced, ...campaign } = row;
  const { id, name, subject, status, listId, scheduledAt, sentAt, createdAt } = campaign;
  const stat = accepted
    ? { sent: accepted, opened: opened ?? 0, clicked: clicked ?? 0, bounced: bounced ?? 0, unsubscribed: 0 }
    : null;
  return { id, name, subject, status, listId, scheduledAt, sentAt, createdAt, stat };
}
