import { DAY_MS } from "#core/time/time.ts";
import type { MailCondition } from "#segments/rule.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { mailings } from "#storage/sqlite/schema/schema.ts";
import { DELIVERY_STATES } from "#deliveries/ledger.ts";
import type { ContactBits } from "./contact-bits.ts";
import type { Population } from "./population.ts";
import { sweepSeqs, type Values } from "./sweep.ts";

/** The time of each event of a ledger row (alias `d`); null if it did not happen. */
const AT = {
  received: "iif(d.state = 'sent' OR d.bounced_at IS NOT NULL, d.settled_at, NULL)",
  opened: "d.opened_at",
  clicked: "d.clicked_at",
} as const;

/** The rows of a mailing are next to each other, unless another one was planned at the same time. */
const APART = 4;

/** All states. Named, the index finds the rows of one stretch; else each stretch would read the whole mailing. */
const STATES = DELIVERY_STATES.map((state) => `'${state}'`).join(", ");

type Mailing = Row<typeof mailings, "seq" | "planned">;

/** Who received, opened or clicked: a campaign's mail, or any campaign's. */
export function mailSet(population: Population, { on, mailId, withinDays }: MailCondition): ContactBits {
  const bits = population.nobody();
  const { sqlite, workspace, now } = population;
  const times: Values = withinDays === null ? {} : { since: now - withinDays * DAY_MS, now };
  const at = AT[on];
  const happened = withinDays === null ? `${at} IS NOT NULL` : `${at} >= $since AND ${at} <= $now`;
  const select = (from: string, mailing: string) =>
    `SELECT d.contact AS found FROM deliveries AS d ${from}
     WHERE d.mailing ${mailing} AND d.seq > $after AND d.seq <= $through AND d.contact IS NOT NULL AND ${happened}`;
  const add = (contacts: readonly number[]): void => bits.addAll(contacts);
  if (mailId === null) {
    const sql = select(
      "NOT INDEXED",
      "IN (SELECT seq FROM mailings WHERE kind = 'campaign' AND workspace = $workspace)",
    );
    sweepSeqs(
      sqlite,
      { sql, values: { ...times, workspace }, after: 0, through: population.newestOf("deliveries") },
      add,
    );
    return bits;
  }
  const mailing = sqlite
    .query<Mailing, [number, string]>(
      `SELECT m.seq, m.planned FROM campaigns AS c CROSS JOIN mailings AS m ON m.seq = c.mailing
       WHERE c.workspace = ? AND c.id = ?`,
    )
    .get(workspace, mailId);
  const range = mailing === null ? null : rangeOf(population, mailing.seq);
  if (mailing === null || range === null) return bits;
  const isTogether = range.through - range.after <= APART * mailing.planned;
  const sql = isTogether
    ? select("NOT INDEXED", "= $mailing")
    : select("INDEXED BY deliveries_by_state", `= $mailing AND d.state IN (${STATES})`);
  sweepSeqs(sqlite, { sql, values: { ...times, mailing: mailing.seq }, ...range }, add);
  return bits;
}

/** The first and last row numbers of a mailing; null if it has no rows. */
function rangeOf({ sqlite }: Population, mailing: number): { after: number; through: number } | null {
  const end = (which: "min" | "max") =>
    sqlite.query<{ seq: number | null }, [number, string]>(
      `SELECT ${which}(seq) AS seq FROM deliveries WHERE mailing = ? AND state = ?`,
    );
  const [first, last] = [end("min"), end("max")];
  const ends = DELIVERY_STATES.map((state) => ({
    first: first.get(mailing, state)?.seq ?? null,
    last: last.get(mailing, state)?.seq ?? null,
  })).flatMap((range) =>
    range.first === null || range.last === null ? [] : [{ first: range.first, last: range.last }],
  );
  if (ends.length === 0) return null;
  return {
    after: Math.min(...ends.map((each) => each.first)) - 1,
    through: Math.max(...ends.map((each) => each.last)),
  };
}
