import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { EventFilter, EventStore } from "#events/store.ts";
import { contactSeq } from "#storage/postgres/contacts/contact-seq.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session, Value } from "#storage/postgres/engine/session.ts";
import { EVENTS, eventOf, type EventRow } from "./event-row.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";

/** Which events (alias `e`): `where`, with its values from `$3` on; and how many there are. */
type EventSet = {
  readonly where: string;
  readonly values: readonly Value[];
  count(): Promise<number>;
};

/** `EventStore.page`. */
export const eventPages =
  ({ read, seqOf }: PostgresDatabase): EventStore["page"] =>
  async (workspaceId, filter, { limit, before }) => {
    const workspace = await seqOf(workspaceId);
    return await read(async (session) => {
      const { where, values, count } = await setOf(session, workspace, filter);
      const [rows, total] = await Promise.all([
        session.rows<EventRow>(`${EVENTS} WHERE ${where} AND e.seq < $1 ORDER BY e.seq DESC LIMIT $2`, [
          before ?? Number.MAX_SAFE_INTEGER,
          limit + 1,
          ...values,
        ]),
        count(),
      ]);
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: eventOf });
    });
  };

/** The events of one contact are counted, since no contact has very many. For all others there are stored counts. */
async function setOf(
  session: Session,
  workspace: number,
  { name, contactId }: EventFilter,
): Promise<EventSet> {
  const named = name === null ? [] : [name];
  if (contactId === null)
    return {
      where: `e.workspace = $3${name === null ? "" : " AND e.name = $4"}`,
      values: [workspace, ...named],
      count: () => recordCount(session, workspace, "event", name),
    };
  const values = [(await contactSeq(session, workspace, contactId)) ?? 0, ...named];
  const isNamed = (place: string): string => (name === null ? "" : ` AND e.name = ${place}`);
  return {
    where: `e.contact = $3${isNamed("$4")}`,
    values,
    async count() {
      const counted = await session.row<{ n: number }>(
        `SELECT count(*) AS n FROM events AS e WHERE e.contact = $1${isNamed("$2")}`,
        values,
      );
      return present(counted, "count of events").n;
    },
  };
}
