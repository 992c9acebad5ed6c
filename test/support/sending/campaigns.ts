/** Campaigns for API tests, and the ledger rows that a send would have left, written directly into the database. */
import type { DeliveryState } from "#deliveries/ledger.ts";
import type { TestApi } from "../server/api.ts";
import { isPostgres, rowsFrom, writeTo } from "../server/services.ts";

export const LETTER = { name: "Spring news", subject: "What blooms in May", body: "<p>Hello, Ada</p>" };

/** Makes a campaign through the API; the answer's data. */
export async function newCampaign(
  api: TestApi,
  fields: Record<string, unknown> = {},
  key = api.key,
): Promise<any> {
  const { status, body } = await api.call("POST", "/campaigns", { ...LETTER, ...fields }, key);
  if (status !== 201) throw new Error(`POST /campaigns answered ${status} ${JSON.stringify(body)}`);
  return body.data;
}

export async function newList(api: TestApi, key = api.key): Promise<string> {
  return (await api.call("POST", "/lists", { name: "Gardeners" }, key)).body.data.id;
}

export async function newScheduled(api: TestApi, scheduledAt: string): Promise<any> {
  const listId = await newList(api);
  const campaign = await newCampaign(api, { listId });
  const { status } = await api.call("POST", `/campaigns/${campaign.id}/schedule`, { scheduledAt });
  if (status !== 200) throw new Error(`schedule answered ${status}`);
  return { ...campaign, status: "SCHEDULED", scheduledAt };
}

type Counters = Partial<
  Record<
    | "accepted"
    | "opened"
    | "clicked"
    | "unsubscribed"
    | "machine_opened"
    | "machine_clicked"
    | "suspected"
    | "held"
    | "started_at"
    | Exclude<DeliveryState, "dot">,
    number
  >
> & { dot?: number; planned?: number; reserved_day?: string; reserved_month?: string };

/** Fields in a mailing's own row; PostgreSQL keeps the others, which are counters, in `tallies`. */
const IN_ROW: ReadonlySet<string> = new Set(["held", "started_at", "reserved_day", "reserved_month"]);

/** Freezes a campaign as a complete plan does. Returns the mailing's number. */
export async function freeze(api: TestApi, id: string, counters: Counters = {}): Promise<number> {
  const given = Object.entries(counters);
  const [inRow, apart] = isPostgres
    ? [given.filter(([name]) => IN_ROW.has(name)), given.filter(([name]) => !IN_ROW.has(name))]
    : [given, []];
  await writeTo(
    api,
    `INSERT INTO mailings (workspace, kind, source_id, phase, created_at${namesOf(inRow)})
     SELECT workspace, 'campaign', id, 'sending', 0${inRow.map(([, value]) => `, ${literal(value)}`).join("")}
     FROM campaigns WHERE id = '${id}'`,
  );
  const [{ seq }] = rowsFrom(api, "SELECT seq FROM mailings WHERE kind = 'campaign' AND source_id = ?", id);
  if (isPostgres)
    await writeTo(
      api,
      `INSERT INTO tallies (mailing, slot${namesOf(apart)}) VALUES (${[seq, 0, ...apart.map(([, n]) => n)].join()})`,
    );
  await writeTo(api, `UPDATE campaigns SET mailing = ${seq}, next_try_at = NULL WHERE id = '${id}'`);
  return seq;
}

const namesOf = (columns: readonly (readonly [string, unknown])[]): string =>
  columns.map(([name]) => `, ${name}`).join("");
const literal = (value: string | number): string => (typeof value === "number" ? `${value}` : `'${value}'`);

/** Makes a frozen campaign SENT, as the last settled message does. */
export async function markSent(api: TestApi, id: string, sentAt = 1_800_000_000_000): Promise<void> {
  await writeTo(
    api,
    `UPDATE mailings SET phase = 'finished', finished_at = ${sentAt} WHERE source_id = '${id}'`,
  );
  await writeTo(api, `UPDATE campaigns SET status = 'SENT', sent_at = ${sentAt} WHERE id = '${id}'`);
}

/** As if it was unknown whether the one message of a finished campaign arrived. */
export async function makeUncertain(api: TestApi, id: string): Promise<void> {
  const mailing = "(SELECT mailing FROM campaigns WHERE id = ?)";
  await writeTo(api, `UPDATE deliveries SET state = 'uncertain' WHERE mailing = ${mailing}`, id);
  if (!isPostgres)
    return await writeTo(
      api,
      "UPDATE mailings SET sent = 0, accepted = 0, uncertain = 1 WHERE source_id = ?",
      id,
    );
  await writeTo(
    api,
    `INSERT INTO tallies (mailing, slot, sent, accepted, uncertain)
     SELECT mailing, 1 + max(slot), -1, -1, 1 FROM tallies WHERE mailing = ${mailing} GROUP BY mailing`,
    id,
  );
  await noteEnds(api);
}

/** What PostgreSQL keeps in addition to the rows of deliveries, for tests that wrote those themselves. */
export async function noteEnds(api: TestApi): Promise<void> {
  if (isPostgres)
    await writeTo(
      api,
      `INSERT INTO delivery_ends (mailing, state, message) SELECT mailing, state, seq FROM deliveries
       WHERE state IN ('bounced', 'failed', 'uncertain', 'skipped') ON CONFLICT DO NOTHING`,
    );
}

/** A campaign's whole row, to compare later. */
export const rowOf = (api: TestApi, id: string): any =>
  rowsFrom(
    api,
    "SELECT c.*, b.html FROM campaigns c JOIN campaign_bodies b ON b.campaign = c.seq WHERE c.id = ?",
    id,
  )[0];

export const countRows = (api: TestApi, table: string): number =>
  rowsFrom<{ n: number }>(api, `SELECT count(*) AS n FROM ${table}`)[0]!.n;
