/** A batch within a server is never heavier than others can bear, whatever its rows hold. Counted, not timed. */
import { expect, test } from "bun:test";
import { accept } from "#core/errors/errors.ts";
import { WITHIN_A_SERVER } from "#imports/batches.ts";
import type { CsvRow } from "#imports/csv/csv-rows.ts";
import { runImport } from "#imports/import-run.ts";
import { NO_COUNTS } from "#imports/import.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";
import type { ImportRow } from "#imports/rows/import-row.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const names = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** Imports rows like this one, on a machine on which writing takes no time: batches grow as far as they may. */
async function batchesOf(
  rows: number,
  filled: { tags?: number; attributes?: number },
  lists = 0,
  rowsForWebhooks = 0,
): Promise<number[]> {
  const { tags = 0, attributes = 0 } = filled;
  const row: ImportRow = {
    email: "ada@example.com",
    firstName: undefined,
    lastName: undefined,
    consent: undefined,
    tags: names(tags, "t"),
    attributes: Object.fromEntries(names(attributes, "a").map((name) => [name, "x"])),
    status: "SUBSCRIBED",
    suppress: null,
    consentAt: null,
    consentIp: null,
    warning: null,
  };
  async function* file(): AsyncGenerator<CsvRow> {
    for (let line = 2; line < rows + 2; line++) yield { line, endLine: line, cells: [] };
  }
  const sizes: number[] = [];
  const end = await runImport(
    {
      imports: {
        rowsForWebhooks: async () => rowsForWebhooks,
        keep: async (_workspace, _id, { people }) => {
          sizes.push(people.length);
          return { counts: NO_COUNTS, messages: [] };
        },
      },
      clock: manualClock(),
      newId: (prefix) => `${prefix}_x`,
    },
    {
      workspaceId: "ws_x",
      id: null,
      rows: file(),
      parse: () => accept(row),
      options: { ...NO_OPTIONS, listIds: names(lists, "list_") },
      pace: WITHIN_A_SERVER,
      onKept: () => undefined,
      isStopped: () => false,
    },
  );
  expect(end).toBe("done");
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(rows);
  return sizes;
}

const { weightMax } = WITHIN_A_SERVER;

test.each([
  ["nothing", {}, 0, 0, 1],
  ["10 attributes", { attributes: 10 }, 0, 0, 2],
  ["100 attributes", { attributes: 100 }, 0, 0, 11],
  ["50 tags", { tags: 50 }, 0, 0, 13.5],
  ["50 tags, 100 attributes and 100 lists", { tags: 50, attributes: 100 }, 100, 0, 48.5],
  ["100 messages for webhooks", {}, 0, 100, 26],
] as const)(
  "rows with %s make batches that weigh as much as others",
  async (_, filled, lists, told, weight) => {
    const sizes = await batchesOf(3_000, filled, lists, told);
    // A batch ends with the row that fills it.
    for (const size of sizes) expect((size - 1) * weight).toBeLessThan(weightMax);
    // And it is filled: small batches would make an import slow.
    expect(Math.max(...sizes)).toBe(Math.ceil(weightMax / weight));
  },
);
