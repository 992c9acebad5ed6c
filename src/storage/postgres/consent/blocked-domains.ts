import { and, asc, desc, eq, lt } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { blockedDomains } from "#storage/postgres/schema/schema.ts";
import type { SuppressionStore } from "#suppression/store.ts";

const SHOWN = { domain: blockedDomains.domain, createdAt: blockedDomains.createdAt };

type BlockedDomainStore = Pick<
  SuppressionStore,
  "blockDomain" | "unblockDomain" | "blockedDomains" | "domainPage"
>;

/** The domains to which a workspace never sends mail. */
export function blockedDomainStore({ read, write, seqOf }: PostgresDatabase): BlockedDomainStore {
  return {
    async blockDomain(workspaceId, entry) {
      const workspace = await seqOf(workspaceId);
      return await write(async ({ orm }) => {
        // An entry that exists is not changed. If it is removed at this moment, it is added again.
        for (;;) {
          const [added] = await orm
            .insert(blockedDomains)
            .values({ workspace, ...entry })
            .onConflictDoNothing()
            .returning(SHOWN);
          if (added !== undefined) return { entry, isNew: true };
          const [known] = await orm
            .select(SHOWN)
            .from(blockedDomains)
            .where(and(eq(blockedDomains.workspace, workspace), eq(blockedDomains.domain, entry.domain)));
          if (known !== undefined) return { entry: known, isNew: false };
        }
      });
    },

    async unblockDomain(workspaceId, domain) {
      const mine = eq(blockedDomains.workspace, await seqOf(workspaceId));
      const removed = await write(({ orm }) =>
        orm
          .delete(blockedDomains)
          .where(and(mine, eq(blockedDomains.domain, domain)))
          .returning(SHOWN),
      );
      return removed.length > 0;
    },

    async blockedDomains(workspaceId) {
      const mine = eq(blockedDomains.workspace, await seqOf(workspaceId));
      return await read(({ orm }) =>
        orm.select(SHOWN).from(blockedDomains).where(mine).orderBy(asc(blockedDomains.domain)),
      );
    },

    async domainPage(workspaceId, { limit, before }) {
      const mine = eq(blockedDomains.workspace, await seqOf(workspaceId));
      const [rows, total] = await read(({ orm }) =>
        Promise.all([
          orm
            .select({ seq: blockedDomains.seq, entry: SHOWN })
            .from(blockedDomains)
            .where(before === null ? mine : and(mine, lt(blockedDomains.seq, before)))
            .orderBy(desc(blockedDomains.seq))
            .limit(limit + 1),
          orm.$count(blockedDomains, mine),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ entry }) => entry });
    },
  };
}
