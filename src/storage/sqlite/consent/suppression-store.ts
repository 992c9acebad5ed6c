import { and, asc, eq, gt } from "drizzle-orm";
import type { SuppressionStore } from "#suppression/store.ts";
import { consentWrites } from "./consent-writes.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { blockedDomains, suppressions } from "#storage/sqlite/schema/schema.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { required } from "#storage/sqlite/engine/required.ts";

const SHOWN = { email: suppressions.address, reason: suppressions.reason, createdAt: suppressions.createdAt };
const SHOWN_DOMAIN = { domain: blockedDomains.domain, createdAt: blockedDomains.createdAt };

export function suppressionStore(
  { orm, sqlite, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
): SuppressionStore {
  const { voidLinks } = consentWrites(sqlite);
  const entryOf = (workspaceId: string, address: string) =>
    and(eq(suppressions.workspace, seqOf(workspaceId)), eq(suppressions.address, address));
  const domainOf = (workspaceId: string, domain: string) =>
    and(eq(blockedDomains.workspace, seqOf(workspaceId)), eq(blockedDomains.domain, domain));

  return {
    add: (workspaceId, { email, reason, createdAt }, strengthen) =>
      writes.write(() => {
        const current = orm.select(SHOWN).from(suppressions).where(entryOf(workspaceId, email)).get();
        const next = strengthen(current?.reason ?? null, reason);
        voidLinks(seqOf(workspaceId), email, createdAt);
        return orm
          .insert(suppressions)
          .values({ workspace: seqOf(workspaceId), address: email, reason: next, createdAt })
          .onConflictDoUpdate({
            target: [suppressions.workspace, suppressions.address],
            set: { reason: next },
          })
          .returning(SHOWN)
          .get();
      }),

    remove: (workspaceId, address) =>
      writes.write(
        () => orm.delete(suppressions).where(entryOf(workspaceId, address)).returning(SHOWN).all().length > 0,
      ),

    find: async (workspaceId, address) =>
      orm.select(SHOWN).from(suppressions).where(entryOf(workspaceId, address)).get() ?? null,

    list: async (workspaceId, after, limit) =>
      orm
        .select(SHOWN)
        .from(suppressions)
        .where(and(eq(suppressions.workspace, seqOf(workspaceId)), gt(suppressions.address, after)))
        .orderBy(asc(suppressions.address))
        .limit(limit)
        .all(),

    blockDomain: (workspaceId, entry) =>
      writes.write(() => {
        orm
          .insert(blockedDomains)
          .values({ workspace: seqOf(workspaceId), ...entry })
          .onConflictDoNothing()
          .run();
        return required(
          orm.select(SHOWN_DOMAIN).from(blockedDomains).where(domainOf(workspaceId, entry.domain)).get(),
        );
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
  };
}
