import { present } from "#core/present.ts";
import { DELIVERY_STATES } from "#deliveries/ledger.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { tallies } from "#storage/postgres/schema/schema.ts";
import { MARKS } from "#storage/postgres/ledger/engagement/engagement-marks.ts";

const NUMBERS = ["planned", ...DELIVERY_STATES, "accepted", ...MARKS];

const SUMS = `SELECT ${NUMBERS.map((name) => `coalesce(sum(${name}), 0)::int8 AS ${name}`).join(", ")}
  FROM tallies WHERE mailing = $1`;

type Counts = Omit<Row<typeof tallies, keyof typeof tallies.$inferSelect>, "mailing" | "slot">;

/** A mailing's numbers: the sum of what all its writers have counted. */
export async function countsOf({ row }: Session, mailing: number): Promise<Counts> {
  return present(await row<Counts>(SUMS, [mailing]), "numbers of a mailing");
}
