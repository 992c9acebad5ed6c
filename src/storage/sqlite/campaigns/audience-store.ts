import type { AudienceStore } from "#campaigns/send/audience.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { contactOf } from "#storage/sqlite/contacts/contact-row.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { sendingUsage } from "#storage/sqlite/ledger/sending-usage.ts";
import type { SegmentQueries } from "#storage/sqlite/segments/segment-queries.ts";

export function audienceStore(
  { sqlite }: SqliteDatabase,
  queries: SegmentQueries,
  seqOf: WorkspaceSeq,
): AudienceStore {
  const usage = sendingUsage(sqlite);
  // A short campaign does not show the pace, and the last messages of a long one may have waited for hours.
  const pace = sqlite.query<{ pace: number | null }, [number]>(
    `SELECT max(m.accepted * 1000.0 / max(1, m.finished_at - m.started_at)) AS pace FROM
       (SELECT mailing FROM campaigns WHERE workspace = ? AND status = 'SENT' ORDER BY seq DESC LIMIT 20) c
     CROSS JOIN mailings m ON m.seq = c.mailing WHERE m.accepted >= 100`,
  );

  return {
    async tally(workspaceId, audience, asked, now) {
      const ask = { kind: "audience", wants: "tally", audience, ...asked } as const;
      const found = await queries.ask({ workspace: seqOf(workspaceId), now, rules: null, ask });
      return present(found.audience?.tally, "count of an audience");
    },
    async leftOut(workspaceId, audience, { reason, page }, now) {
      const ask = { kind: "audience", wants: "left out", audience, reason, request: page } as const;
      const { rows, total } = await queries.ask({ workspace: seqOf(workspaceId), now, rules: null, ask });
      return pageOf(rows, total, page.limit, { position: (row) => row.seq, item: contactOf });
    },
    used: async (workspaceId, period) => usage.used(seqOf(workspaceId), period),
    pace: async (workspaceId) => pace.get(seqOf(workspaceId))?.pace ?? null,
  };
}
