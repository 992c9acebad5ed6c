import { and, asc, count, desc, eq, gt, lt } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import type { SuppressionStore } from "#suppression/store.ts";
import { consentWrites } from "./consent-writes.ts";
import { suppressionPages } from "./suppression-pages.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { blockedDomains, suppressions } from "#storage/sqlite/schema/tables/consent.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import { contactActivity } from "#storage/sqlite/stats/contact-activity.ts";
import { present } from "#core/present.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";

const SHOWN = {
  email: suppressions.address,
  reason: suppressions.reason,
  source: suppressions.source,
  createdAt: suppressions.createdAt,
};
const SHOWN_DOMAIN = { domain: blockedDomains.domain, createdAt: blockedDomains.createdAt };

export function suppressionStore(database: SqliteDatabase, seqOf: WorkspaceSeq): SuppressionStore {
  return { ...addresses(database, seqOf), ...domains(database, seqOf) };
}

function addresses(
  { orm, sqlite, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<SuppressionStore, "add" | "remove" | "find" | "reasonsOf" | "list" | "page"> {
  const { voidLinks } = consentWrites(sqlite);
  const page = suppressionPages(sqlite);
  const among = sqlite.query<Row<typeof suppressions, "address" | "reason">, [string, number]>(
    `SELECT s.address, s.reason FROM json_each(?) AS wanted
     CROSS JOIN suppressions AS s ON s.workspace = ? AND s.address = wanted.value`,
  );
  const activity = contactActivity(sqlite);
  const entryOf = (workspaceId: string, address: string) =>
    and(eq(suppressions.workspace, seqOf(workspaceId)), eq(suppressions.address, address));

  return {
    add: (workspaceId, { email, reason, source, createdAt }, strengthen) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        voidLinks(workspace, email, createdAt);
        const current = orm.select(SHOWN).from(suppressions).where(entryOf(workspaceId, email)).get();
        const next = strengthen(current?.reason ?? null, reason);
        if (current?.reason === next) return { entry: current, isNew: false };
        const entry = orm
          .insert(suppressions)
          .values({ workspace, address: email, reason: next, source, createdAt })
          .onConflictDoUpdate({
            target: [suppressions.workspace, suppressions.address],
            set: { reason: next, source },
          })
          .returning(SHOWN)
          .get();
        activity.suppressed(workspace, { address: email, reason: next, source }, createdAt);
        return { entry, isNew: current === undefined };
      }),

    remove: (workspaceId, address) =>
      writes.write(
        () => orm.delete(suppressions).where(entryOf(workspaceId, address)).returning(SHOWN).all().length > 0,
      ),

    find: async (workspaceId, address) =>
      orm.select(SHOWN).from(suppressions).where(entryOf(workspaceId, address)).get() ?? null,

    reasonsOf: async (workspaceId, wanted) =>
      new Map(
        among.all(JSON.stringify(wanted), seqOf(workspaceId)).map(({ address, reason }) => [address, reason]),
      ),

    list: async (workspaceId, after, limit) =>
      orm
        .select(SHOWN)
        .from(suppressions)
        .where(and(eq(suppressions.workspace, seqOf(workspaceId)), gt(suppressions.address, after)))
        .orderBy(asc(suppressions.address))
        .limit(limit)
        .all(),

    page: async (workspaceId, filter, request) => await page(seqOf(workspaceId), filter, request),
  };
}

function domains(
  { orm, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<SuppressionStore, "blockDomain" | "unblockDomain" | "blockedDomains" | "domainPage"> {
  const domainOf = (workspaceId: string, domain: string) =>
    and(eq(blockedDomains.workspace, seqOf(workspaceId)), eq(blockedDomains.domain, domain));

  return {
    blockDomain: (workspaceId, entry) =>
      writes.write(() => {
        const known = orm
          .select(SHOWN_DOMAIN)
          .from(blockedDomains)
          .where(domainOf(workspaceId, entry.domain))
          .get();
        if (known !== undefined) return { entry: known, isNew: false };
        orm
          .insert(blockedDomains)
          .values({ workspace: seqOf(workspaceId), ...entry })
          .run();
        return { entry, isNew: true };
      }),

    unblockDomain: (workspaceId, domain) =>
      writes.write(
        () =>
          orm.delete(blockedDomains).where(domainOf(workspaceId, domain)).returning(SHOWN_DOMAIN).all()
            .length > 0,
      ),

    blockedDomains: async (workspaceId) =>
      orm
        .select(SHOWN_DOMAIN)
        .from(blockedDomains)
        .where(eq(blockedDomains.workspace, seqOf(workspaceId)))
        .orderBy(asc(blockedDomains.domain))
        .all(),

    domainPage: async (workspaceId, { limit, before }) => {
      const mine = eq(blockedDomains.workspace, seqOf(workspaceId));
      const rows = orm
        .select({ seq: blockedDomains.seq, entry: SHOWN_DOMAIN })
        .from(blockedDomains)
        .where(before === null ? mine : and(mine, lt(blockedDomains.seq, before)))
        .orderBy(desc(blockedDomains.seq))
        .limit(limit + 1)
        .all();
      const counted = orm.select({ n: count() }).from(blockedDomains).where(mine).get();
      const { n } = present(counted, "count of domains");
      return pageOf(rows, n, limit, { position: ({ seq }) => seq, item: ({ entry }) => entry });
    },
  };
}
