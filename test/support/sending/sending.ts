/** A workspace that may send, and its audience: what sending tests begin with. */
import { eventually } from "../common/eventually.ts";
import { startApi, type TestApi, type TestOptions } from "../server/api.ts";
import { isDatabaseBusy, isPostgres, rowsFrom, writeTo } from "../server/services.ts";
import type { ManualClock } from "../common/manual-clock.ts";
import { scriptedSmtp, type ScriptedOptions, type Script, type ScriptedSmtp } from "./scripted-smtp.ts";

export type SendingApi = TestApi & {
  readonly relay: ScriptedSmtp;
  /** Stops the service and starts another on the same data, with the same relay. */
  restart(how?: { graceMs?: number }): Promise<SendingApi>;
};

export const SENDER = {
  fromEmail: "news@shop.example.org",
  fromName: "Ada's Shop",
  mailingAddress: "Ada's Shop, 1 Analytical Way, London",
};

/** A running service with a scripted relay; its workspace has a sender and a mailing address. */
export async function startSending(
  on: Script = {},
  options: TestOptions & { relay?: Omit<ScriptedOptions, "on">; connections?: number } = {},
): Promise<SendingApi> {
  const { relay: relayOptions, connections = 10, ...rest } = options;
  const relay = scriptedSmtp({ on, ...relayOptions });
  const smtpUrl = `${relay.url}?maxConnections=${connections}`;
  const api = await startApi({ smtpUrl, ...rest });
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  return withRelay(api, relay, { smtpUrl, ...rest });
}

/** At its end, every test checks that the ledger's counters agree with its rows. */
function withRelay(api: TestApi, relay: ScriptedSmtp, options: TestOptions): SendingApi {
  const ended = <T>(promise: Promise<T>): Promise<T> =>
    options.clock && "advance" in options.clock ? driven(options.clock as ManualClock, promise) : promise;
  return {
    ...api,
    relay,
    async restart({ graceMs = 0 } = {}) {
      await ended(api.stop({ graceMs, keep: true }));
      return withRelay(await ended(startApi({ ...options, home: api })), relay, options);
    },
    async stop(how) {
      const faults = await api.place.ledgerFaults(api.services);
      await ended(api.stop(how));
      relay.stop();
      if (faults.length > 0) throw new Error(`The ledger is not consistent: ${faults.join("; ")}`);
    },
  };
}

/** Lets the manual clock run until the promise settles: a step at every turn of the event loop. */
export async function driven<T>(clock: ManualClock, promise: Promise<T>, stepMs = 25): Promise<T> {
  let settled = false;
  const settle = () => void (settled = true);
  promise.then(settle, settle);
  await eventually(() => {
    if (!settled && !isDatabaseBusy()) clock.advance(stepMs);
    return afterAnswers(() => settled);
  });
  return promise;
}

/** Lets the manual clock run until something holds. */
export const drivenUntil = (
  clock: ManualClock,
  holds: () => boolean | Promise<boolean>,
  stepMs = 25,
): Promise<void> =>
  eventually(() => {
    if (!isDatabaseBusy()) clock.advance(stepMs >= LONG_STEP_MS ? stepMs * LONGER : stepMs);
    return afterAnswers(holds);
  });

/** Minutes pass in longer steps over PostgreSQL, because at each step the server asks it several things. */
const LONG_STEP_MS = 500;
const LONGER = isPostgres ? 4 : 1;

/**
 * PostgreSQL answers in a process of its own. Turning the event loop and checking all the time would only slow it
 * down.
 */
const afterAnswers = (holds: () => boolean | Promise<boolean>): boolean | Promise<boolean> =>
  isPostgres && isDatabaseBusy() ? Bun.sleep(1).then(holds) : holds();

export type Audience = {
  readonly listId: string;
  readonly contactIds: string[];
  readonly addresses: string[];
};

/** A list of SUBSCRIBED contacts, made in one go: reader-1@example.com and so on, or the given addresses. */
export async function makeAudience(api: TestApi, who: number | readonly string[]): Promise<Audience> {
  const addresses =
    typeof who === "number" ? Array.from({ length: who }, (_, i) => `reader-${i + 1}@example.com`) : [...who];
  const list = await api.call("POST", "/lists", { name: "Readers" });
  const contacts = await Promise.all(addresses.map((email) => api.call("POST", "/contacts", { email })));
  const contactIds = contacts.map((answer) => answer.body.data.id as string);
  const listId = list.body.data.id as string;
  if (contactIds.length > 0) await api.call("POST", `/lists/${listId}/contacts`, { contactIds });
  return { listId, contactIds, addresses };
}

/** A long list of SUBSCRIBED contacts, written straight into the database. */
export async function makeLongList(api: TestApi, count: number): Promise<string> {
  const { id } = (await api.call("POST", "/lists", { name: "Everybody" })).body.data;
  const workspace = "(SELECT seq FROM workspaces ORDER BY seq LIMIT 1)";
  await writeTo(
    api,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, ${workspace}, 'reader-' || i || '@example.com', '', '', 'SUBSCRIBED', 'reader-' || i, 0 FROM n`,
  );
  await writeTo(
    api,
    `INSERT INTO list_members (list, contact, status, added_at)
     SELECT l.seq, c.seq, c.status, 0 FROM contacts c, lists l WHERE l.id = '${id}'`,
  );
  return id;
}

const BODY = `<html><body><h1>Hello</h1><p>Read <a href="https://shop.example.org/new?a=1&amp;b=2">the news</a>.</p></body></html>`;

export async function makeCampaign(
  api: TestApi,
  listId: string | null,
  fields: object = {},
): Promise<string> {
  const draft = {
    name: "Spring",
    subject: "Spring is here",
    body: BODY,
    ...(listId ? { listId } : {}),
    ...fields,
  };
  const { body } = await api.call("POST", "/campaigns", draft);
  return body.data.id as string;
}

export const send = (api: TestApi, campaignId: string, options?: object) =>
  api.call("POST", `/campaigns/${campaignId}/send`, options);

/** Begins a send whose answer nobody waits for. */
export const beginSend = (api: TestApi, campaignId: string, options?: object): void =>
  void send(api, campaignId, options).catch(() => undefined);

export const steer = (api: TestApi, campaignId: string, action: "pause" | "resume" | "stop") =>
  api.call("POST", `/campaigns/${campaignId}/${action}`);

/** Whom the relay took mail for, sorted: who got two letters is there twice. */
export const addressesMailed = ({ relay }: Pick<SendingApi, "relay">): string[] =>
  relay.accepted.flatMap(({ rcptTo }) => rcptTo).toSorted();

export async function reportOf(api: TestApi, campaignId: string) {
  return (await api.call("GET", `/campaigns/${campaignId}/report`)).body.data;
}

/** Every recipient's row, by address. */
export async function deliveriesOf(api: TestApi, campaignId: string): Promise<Record<string, any>> {
  const { body } = await api.call("GET", `/campaigns/${campaignId}/deliveries?limit=100`);
  return Object.fromEntries(body.data.map((row: { email: string }) => [row.email, row]));
}

export type LedgerRow = {
  seq: number;
  address: string;
  state: string;
  reason: string | null;
  attempts: number;
  first_attempt_at: number | null;
  next_attempt_at: number | null;
  reply_code: number | null;
};

/** The rows of a campaign's send as the database has them, in plan order. */
export const rowsOf = (api: TestApi, campaignId: string): LedgerRow[] =>
  rowsFrom<LedgerRow>(
    api,
    "SELECT d.* FROM deliveries d JOIN mailings m ON m.seq = d.mailing WHERE m.source_id = ? ORDER BY d.seq",
    campaignId,
  );

export const statusOf = async (api: TestApi, campaignId: string): Promise<string> =>
  (await api.call("GET", `/campaigns/${campaignId}`)).body.data.status;

/** One number from the database, by a statement that both engines understand. */
export const numberOf = (api: TestApi, sql: string): number => rowsFrom<{ n: number }>(api, sql)[0]!.n;

/** The same, without blocking the event loop. */
export async function numberIn({ place, services }: TestApi, sql: string): Promise<number> {
  return Number((await place.values(services, sql))[0]);
}

export const headerOf = (raw: string, name: string): string | undefined =>
  new RegExp(`^${name}: ?(.*(?:\\r\\n[ \\t].*)*)`, "im").exec(raw)?.[1];
