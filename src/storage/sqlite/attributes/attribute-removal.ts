import type { Database } from "bun:sqlite";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contactAttributes } from "#storage/sqlite/schema/schema.ts";

/** How many rows one slice reads: some milliseconds of work, even if all of them change and have the maximum length. */
const ROWS = 200;

const NEXT = `SELECT max(contact) AS contact FROM
  (SELECT contact FROM contact_attributes WHERE contact > ? ORDER BY contact LIMIT ${ROWS})`;
const RANGE = "workspace = $workspace AND contact > $after AND contact <= $through";
const TAKE_OFF = `UPDATE contact_attributes SET attributes = jsonb_remove(attributes, $path),
    folded = nullif(jsonb_remove(folded, $path), jsonb('{}'))
  WHERE ${RANGE} AND json_type(attributes, $path) IS NOT NULL`;
const REMOVE_EMPTY = `DELETE FROM contact_attributes WHERE ${RANGE} AND attributes = jsonb('{}')`;
const FORGET = "DELETE FROM attribute_counts WHERE workspace = ? AND name = ?";

type Range = {
  readonly workspace: number;
  readonly after: number;
  readonly through: number;
};

/** Removes a name from every contact of a workspace, in slices. False: no contact has it. */
export function* attributeRemoval(
  sqlite: Database,
  workspace: number,
  name: string,
): Generator<void, boolean, void> {
  const next = sqlite.query<
    { contact: Row<typeof contactAttributes, "contact">["contact"] | null },
    [number]
  >(NEXT);
  const takeOff = sqlite.query<null, [Range & { readonly path: string }]>(TAKE_OFF);
  const removeEmpty = sqlite.query<null, [Range]>(REMOVE_EMPTY);
  for (let after = 0; ;) {
    const through = next.get(after)?.contact ?? null;
    if (through === null) break;
    const range = { workspace, after, through };
    takeOff.run({ ...range, path: `$.${name}` });
    removeEmpty.run(range);
    after = through;
    yield;
  }
  return sqlite.query<null, [number, string]>(FORGET).run(workspace, name).changes > 0;
}
