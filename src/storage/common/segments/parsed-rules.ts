import type { JsonValue } from "#core/request/json-value.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";

/** After parsing this much JSON, other work runs. */
const TURN_CHARACTERS = 256 * 1024;

/** Rows of segments with their rules parsed. Those of many have megabytes, so others get their turn in between. */
export async function withParsedRules<Row extends { readonly rules: string }>(
  rows: readonly Row[],
): Promise<(Omit<Row, "rules"> & { readonly rules: JsonValue })[]> {
  const parsed = [];
  let characters = 0;
  for (const row of rows) {
    characters += row.rules.length;
    if (characters > TURN_CHARACTERS && parsed.length > 0) {
      characters = row.rules.length;
      await nextLoopTurn();
    }
    parsed.push({ ...row, rules: JSON.parse(row.rules) as JsonValue });
  }
  return parsed;
}
