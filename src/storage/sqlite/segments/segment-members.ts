import { pageOf } from "#core/request/page.ts";
import type { SegmentMembersStore } from "#segments/store.ts";
import { contactOf } from "#storage/sqlite/contacts/contact-row.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { ContactBits } from "#storage/sqlite/segments/sets/contact-bits.ts";
import { contactsBySeq } from "./contacts-by-seq.ts";
import type { SegmentQueries } from "./segment-queries.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";

/** How many are read in one turn of the event loop: some milliseconds of work. */
const PIECE = 100;

export function segmentMembers(
  { sqlite }: Pick<SqliteDatabase, "sqlite">,
  queries: SegmentQueries,
  seqOf: WorkspaceSeq,
): SegmentMembersStore {
  const bySeq = contactsBySeq(sqlite);

  return {
    count: async (workspaceId, rules, now) => {
      const ask = { kind: "count", sample: 0 } as const;
      const { total, subscribed } = await queries.ask({ workspace: seqOf(workspaceId), now, rules, ask });
      return { total, subscribed };
    },

    preview: async (workspaceId, rules, now, sample) => {
      const ask = { kind: "count", sample } as const;
      const found = await queries.ask({ workspace: seqOf(workspaceId), now, rules, ask });
      return { total: found.total, subscribed: found.subscribed, sample: found.rows.map(contactOf) };
    },

    page: async (workspaceId, { rules, now, filter }, request) => {
      const ask = { kind: "page", filter, request } as const;
      const { rows, total } = await queries.ask({ workspace: seqOf(workspaceId), now, rules, ask });
      return pageOf(rows, total, request.limit, { position: (row) => row.seq, item: contactOf });
    },

    async *walk(workspaceId, { rules, now, filter }) {
      const ask = { kind: "members", filter } as const;
      const { words } = await queries.ask({ workspace: seqOf(workspaceId), now, rules, ask });
      const members = new ContactBits(words ?? 0);
      for (let before = Number.MAX_SAFE_INTEGER; ;) {
        const seqs = members.descending(before, PIECE);
        const last = seqs.at(-1);
        if (last === undefined) return;
        yield bySeq(seqs).map(contactOf);
        before = last;
        await nextLoopTurn();
      }
    },
  };
}
