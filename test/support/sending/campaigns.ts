/**
 * Campaigns for API tests, and the ledger rows a send would have left, written straight into the database.
 */
import type { DeliveryState } from "#deliveries/ledger.ts";
import type { TestApi } from "../server/api.ts";

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

/** Freezes a campaign as a complete plan does. Returns the mailing's number. */
export function freeze(api: TestApi, id: string, counters: Counters = {}): number {
  const { sqlite } = api.services.database;
  const columns = Object.keys(counters);
  const { seq } = sqlite
    .query<{ seq: number }, (string | number)[]>(
      `INSERT INTO mailings (workspace, kind, source_id, phase, created_at${columns.map((name) => `, ${name}`).join("")})
       SELECT workspace, 'campaign', id, 'sending', 0${columns.map(() => ", ?").join("")} FROM campaigns WHERE id = ? RETURNING seq`,
    )
    .get(...Object.values<string | number>(counters), id)!;
  sqlite.query("UPDATE campaigns SET mailing = ?, next_try_at = NULL WHERE id = ?").run(seq, id);
  return seq;
}

/** Makes a frozen campaign SENT, as the last settled message does. */
export function markSent(api: TestApi, id: string, sentAt = 1_800_000_000_000): void {
  const { sqlite } = api.services.database;
  sqlite.query("UPDATE mailings SET phase = 'finished', finished_at = ? WHERE source_id = ?").run(sentAt, id);
  sqlite.query("UPDATE campaigns SET status = 'SENT', sent_at = ? WHERE id = ?").run(sentAt, id);
}

/** A campaign's whole row, to hold against a later look. */
export function rowOf(api: TestApi, id: string): any {
  return api.services.database.sqlite
    .query("SELECT c.*, b.html FROM campaigns c JOIN campaign_bodies b ON b.campaign = c.seq WHERE c.id = ?")
    .get(id);
}

export function countRows(api: TestApi, table: string): number {
  return api.services.database.sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
}
