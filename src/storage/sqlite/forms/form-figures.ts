import type { FormFigures } from "#forms/form-figures.ts";
import type { FormStore } from "#forms/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { forms } from "#storage/sqlite/schema/schema.ts";

/** How many rows are counted in one turn of the event loop: some milliseconds. */
const ROWS_A_TURN = 2_000;

type Counted = { readonly rows: number; readonly last: number | null; readonly n: number };
type Piece = (formId: string, after: number, rows: number) => Counted | null;

/** Counts a form's submissions in slices: a popular form has very many. */
export function formFigures({ sqlite }: SqliteDatabase, seqOf: WorkspaceSeq): Pick<FormStore, "figures"> {
  const known = sqlite.query<Row<typeof forms, "id">, [number, string]>(
    "SELECT id FROM forms WHERE workspace = ? AND id = ?",
  );
  const links = sqlite.query<Counted, [string, number, number]>(
    `SELECT count(*) AS rows, max(seq) AS last, count(confirmedAt) AS n FROM (
       SELECT delivery AS seq, confirmed_at AS confirmedAt FROM confirmations
       WHERE form_id = ? AND delivery > ? ORDER BY delivery LIMIT ?)`,
  );
  const agreed = sqlite.query<Counted, [string, number, number]>(
    `SELECT count(*) AS rows, max(seq) AS last, count(*) FILTER (WHERE isOut) AS n FROM (
       SELECT l.seq, coalesce((SELECT status FROM contacts WHERE id = l.contact_id), '') <> 'SUBSCRIBED' AS isOut
       FROM consent_log AS l WHERE l.form_id = ? AND l.seq > ? AND l.action = 'GIVEN' ORDER BY l.seq LIMIT ?)`,
  );

  return {
    figures: async (workspaceId, id): Promise<FormFigures | null> => {
      if (known.get(seqOf(workspaceId), id) === null) return null;
      const asked = await counted((...keys) => links.get(...keys), id);
      const joined = await counted((...keys) => agreed.get(...keys), id);
      return { asked: asked.rows, confirmed: asked.n, joined: joined.rows, left: joined.n };
    },
  };
}

async function counted(piece: Piece, formId: string): Promise<{ rows: number; n: number }> {
  const sum = { rows: 0, n: 0 };
  for (let after = 0; ;) {
    const found = piece(formId, after, ROWS_A_TURN);
    sum.rows += found?.rows ?? 0;
    sum.n += found?.n ?? 0;
    if (found === null || found.last === null || found.rows < ROWS_A_TURN) return sum;
    after = found.last;
    await nextLoopTurn();
  }
}
