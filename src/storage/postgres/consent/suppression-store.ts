import { and, asc, desc, eq, gt, inArray, lt, type SQL } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import { holdByEmail } from "#storage/postgres/contacts/contact-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { suppressions } from "#storage/postgres/schema/schema.ts";
import { contains } from "#storage/postgres/search/contains.ts";
import { contactActivity } from "#storage/postgres/stats/contact-activity.ts";
import type { Suppression } from "#suppression/suppression.ts";
import type { Added, SuppressionStore } from "#suppression/store.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";
import { blockedDomainStore } from "./blocked-domains.ts";
import { voidLinks } from "./consent-writes.ts";

const SHOWN = {
  email: suppressions.address,
  reason: suppressions.reason,
  source: suppressions.source,
  createdAt: suppressions.createdAt,
};

export function suppressionStore(database: PostgresDatabase): SuppressionStore {
  return { ...addresses(database), ...blockedDomainStore(database), ...pages(database) };
}

const entryOf = (workspace: number, address: string): SQL | undefined =>
  and(eq(suppressions.workspace, workspace), eq(suppressions.address, address));

function addresses({
  read,
  write,
  seqOf,
}: PostgresDatabase): Pick<SuppressionStore, "add" | "remove" | "find" | "reasonsOf" | "list"> {
  return {
    async add(workspaceId, suppression, strengthen) {
      const workspace = await seqOf(workspaceId);
      const { email, createdAt } = suppression;
      return await write(async (tx) => {
        // The order of every change to a person, so there are no deadlocks: contact, suppression, links.
        await holdByEmail(tx, workspace, [email]);
        const added = await addOrStrengthen(tx, workspace, suppression, strengthen);
        await voidLinks(tx, workspace, [{ address: email, at: createdAt }]);
        const activity = contactActivity(tx, workspace);
        if (added.hasNewReason) activity.suppressed({ ...added.entry, address: email }, createdAt);
        await activity.book();
        return { entry: added.entry, isNew: added.isNew };
      });
    },

    async remove(workspaceId, address) {
      const itself = entryOf(await seqOf(workspaceId), address);
      const removed = await write(({ orm }) => orm.delete(suppressions).where(itself).returning(SHOWN));
      return removed.length > 0;
    },

    async find(workspaceId, address) {
      const itself = entryOf(await seqOf(workspaceId), address);
      const [found] = await read(({ orm }) => orm.select(SHOWN).from(suppressions).where(itself));
      return found ?? null;
    },

    async reasonsOf(workspaceId, wanted) {
      const mine = eq(suppressions.workspace, await seqOf(workspaceId));
      const found = await read(({ orm }) =>
        orm
          .select({ address: suppressions.address, reason: suppressions.reason })
          .from(suppressions)
          .where(and(mine, inArray(suppressions.address, [...wanted]))),
      );
      return new Map(found.map(({ address, reason }) => [address, reason]));
    },

    async list(workspaceId, after, limit) {
      const mine = eq(suppressions.workspace, await seqOf(workspaceId));
      return await read(({ orm }) =>
        orm
          .select(SHOWN)
          .from(suppressions)
          .where(and(mine, gt(suppressions.address, after)))
          .orderBy(asc(suppressions.address))
          .limit(limit),
      );
    },
  };
}

type Strengthen = Parameters<SuppressionStore["add"]>[2];
type AddedHere = Added<Suppression> & { readonly hasNewReason: boolean };

async function addOrStrengthen(
  { orm }: Session,
  workspace: number,
  { email, reason, source, createdAt }: Suppression,
  strengthen: Strengthen,
): Promise<AddedHere> {
  const itself = entryOf(workspace, email);
  // An existing entry may be removed before it is locked: then it is added after all.
  for (;;) {
    const [added] = await orm
      .insert(suppressions)
      .values({ workspace, address: email, reason: strengthen(null, reason), source, createdAt })
      .onConflictDoNothing()
      .returning(SHOWN);
    if (added !== undefined) return { entry: added, isNew: true, hasNewReason: true };
    const [current] = await orm.select(SHOWN).from(suppressions).where(itself).for("no key update");
    if (current === undefined) continue;
    const next = strengthen(current.reason, reason);
    if (next === current.reason) return { entry: current, isNew: false, hasNewReason: false };
    await orm.update(suppressions).set({ reason: next, source }).where(itself);
    return { entry: { ...current, reason: next, source }, isNew: false, hasNewReason: true };
  }
}

function pages({ read, seqOf }: PostgresDatabase): Pick<SuppressionStore, "page"> {
  return {
    async page(workspaceId, { reason, q }, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const term = searchTermOf(q ?? "");
      const found = and(
        eq(suppressions.workspace, workspace),
        reason === null ? undefined : eq(suppressions.reason, reason),
        term === "" ? undefined : contains(suppressions.address, term),
      );
      const [rows, total] = await read((session) =>
        Promise.all([
          session.orm
            .select({ seq: suppressions.seq, entry: SHOWN })
            .from(suppressions)
            .where(before === null ? found : and(found, lt(suppressions.seq, before)))
            .orderBy(desc(suppressions.seq))
            .limit(limit + 1),
          term === ""
            ? recordCount(session, workspace, "suppression", reason)
            : session.orm.$count(suppressions, found),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ entry }) => entry });
    },
  };
}
