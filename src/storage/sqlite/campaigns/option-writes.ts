import type { Database } from "bun:sqlite";
import type { CampaignOptions } from "#campaigns/options/options.ts";
import { segmentsOf } from "#storage/common/campaigns/campaign-options.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { lists, segments } from "#storage/sqlite/schema/schema.ts";

/** Stores a campaign's options, on an open transaction of the write queue. */
export function optionWrites(sqlite: Database) {
  const known = (table: "lists" | "segments") =>
    sqlite.query<Row<typeof lists | typeof segments, "id">, [string, number]>(
      `SELECT t.id FROM json_each(?) AS wanted CROSS JOIN ${table} AS t ON t.id = wanted.value WHERE t.workspace = ?`,
    );
  const tables = { list: known("lists"), segment: known("segments") };
  const saveOptions = sqlite.query<null, [number, string]>(
    "INSERT INTO campaign_options VALUES (?, ?) ON CONFLICT DO UPDATE SET options = excluded.options",
  );
  const saveText = sqlite.query<null, [string | null, number]>(
    "UPDATE campaign_bodies SET text = ? WHERE campaign = ?",
  );
  const forgetSegments = sqlite.query<null, [number]>("DELETE FROM campaign_segments WHERE campaign = ?");
  const saveSegments = sqlite.query<null, [number, string, number]>(
    `INSERT OR IGNORE INTO campaign_segments (segment, campaign)
     SELECT s.seq, ?1 FROM json_each(?2) AS wanted CROSS JOIN segments AS s ON s.id = wanted.value WHERE s.workspace = ?3`,
  );

  return {
    /** Those of the ids that the workspace has. */
    known: (workspace: number, kind: "list" | "segment", ids: readonly string[]): ReadonlySet<string> =>
      new Set(ids.length === 0 ? [] : tables[kind].all(JSON.stringify(ids), workspace).map(({ id }) => id)),

    save(workspace: number, campaign: number, { text, ...options }: CampaignOptions): void {
      saveOptions.run(campaign, JSON.stringify(options));
      saveText.run(text, campaign);
      forgetSegments.run(campaign);
      saveSegments.run(campaign, JSON.stringify(segmentsOf(options)), workspace);
    },
  };
}
