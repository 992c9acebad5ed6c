/**
 * How long a segment takes to preview and to page, by kind of condition, and how long others wait beside it.
 */
import type { Audience } from "./audience.ts";
import { startClient, type ClientWaits } from "./processes/client.ts";
import type { Orders } from "./processes/open-loop.ts";
import type { Row } from "./figures/table.ts";
import { waitAt } from "./figures/waits.ts";

const TIMES = 3;
const IDLE_MS = 10_000;
const ANSWER_MS = 1_000;
const WAIT_MS = 50;

type Rules = { readonly what: string; readonly rules: unknown };

/** One condition of each kind, chosen so that many contacts fit and it costs most; then three at once. */
const rulesOf = ({ campaignIds, listIds }: Audience): Rules[] => {
  const one = (what: string, condition: object): Rules => ({ what, rules: condition });
  const plan = { field: "attributes.plan", op: "equals", value: "pro" };
  const viewed = { field: "event", op: "atLeast", name: "survey_answered", value: 2 };
  const opened = { field: "opened", op: "equals", value: campaignIds[0] };
  return [
    one("email contains", { field: "email", op: "contains", value: "mail7" }),
    one("firstName notEquals", { field: "firstName", op: "notEquals", value: "ÉLODIE" }),
    one("domain equals", { field: "domain", op: "equals", value: "example.com" }),
    one("status", { field: "status", op: "equals", value: "SUBSCRIBED" }),
    one("tag", { field: "tag", op: "equals", value: "reader" }),
    one("tag, lacks it", { field: "tag", op: "notEquals", value: "reader" }),
    one("list", { field: "list", op: "equals", value: listIds[0] }),
    one("createdAt", { field: "createdAt", op: "after", value: "2026-01-05T00:00:00Z" }),
    one("attribute, a text", plan),
    one("attribute, a number", { field: "attributes.spent", op: "greaterThan", value: 700 }),
    one("attribute, a date", { field: "attributes.renewal", op: "before", value: "2026-09-01" }),
    one("attribute, a list", { field: "attributes.interests", op: "contains", value: "music" }),
    one("score", { field: "score", op: "greaterThan", value: 15 }),
    one("event, at least twice", viewed),
    one("event, none in the last days", { ...viewed, op: "atMost", value: 0, withinDays: 300 }),
    one("event where a property fits", {
      ...viewed,
      value: 1,
      where: [{ property: "page", op: "endsWith", value: "77" }],
    }),
    one("event where every property fits", {
      ...viewed,
      value: 1,
      where: [{ property: "plan", op: "notEquals", value: "free" }],
    }),
    one("received any campaign", { field: "received", op: "equals", value: "any" }),
    one("opened a campaign", opened),
    one("clicked, not within days", { field: "clicked", op: "notEquals", value: "any", withinDays: 300 }),
    { what: "three at once: attribute, event, opened", rules: { all: [plan, viewed, opened] } },
    {
      what: "any of three: name, list, score",
      rules: {
        any: [
          { field: "lastName", op: "startsWith", value: "lo" },
          { field: "list", op: "equals", value: listIds[2] },
          { field: "score", op: "greaterThan", value: 15 },
        ],
      },
    },
  ];
};

export async function segmentRows(audience: Audience): Promise<Row[]> {
  const orders = ordersFor(audience);
  const idle = await beside(orders, () => Bun.sleep(IDLE_MS));
  const rows: Row[] = [];
  const busy = await beside(orders, async () => {
    for (const each of rulesOf(audience)) rows.push(...(await timesOf(audience, each)));
  });
  const waits = Object.keys(busy).map((kind) => waitRow(`${kind} beside them`, idle[kind], busy[kind]));
  return [...rows, ...waits, ...(await campaignRows(audience, orders, idle))];
}

/** How long others wait while a campaign to a segment is checked, and while its send is planned. */
async function campaignRows(audience: Audience, orders: Orders, idle: ClientWaits): Promise<Row[]> {
  const sender = { mailingAddress: "1 Bench Street", fromEmail: "bench@example.org" };
  await audience.call("PATCH", "/settings", sender);
  const rules = { field: "attributes.spent", op: "greaterThan", value: 10 };
  const segment = await audience.call("POST", "/segments", { name: "Campaign", rules });
  const letter = { name: "Bench", subject: "Hello", body: "<p>Hello</p>" };
  const { id } = (await audience.call("POST", "/campaigns", letter)).data;
  await audience.call("PATCH", `/campaigns/${id}/options`, { segmentId: segment.data.id });
  const checked = await beside(orders, async () => {
    for (let n = 0; n < TIMES; n++) await audience.call("POST", `/campaigns/${id}/check`);
  });
  // The relay is not there: the call answers when the plan is made, or after 45 seconds.
  const planned = await beside(orders, () =>
    audience.call("POST", `/campaigns/${id}/send`).then(() => undefined),
  );
  return Object.keys(idle).flatMap((kind) => [
    waitRow(`${kind} while a campaign to a segment is checked`, idle[kind], checked[kind]),
    waitRow(`${kind} while its send is planned`, idle[kind], planned[kind]),
  ]);
}

/** Every answer must be within the goal, so the slowest of several counts. */
async function timesOf(audience: Audience, { what, rules }: Rules): Promise<Row[]> {
  const made = await audience.call("POST", "/segments", { name: what, rules });
  const previews: number[] = [];
  const pages: number[] = [];
  let total = 0;
  for (let n = 0; n < TIMES; n++) {
    previews.push(
      await timed(async () => {
        total = (await audience.call("POST", "/segments/preview", { rules })).data.total;
      }),
    );
    pages.push(await timed(() => audience.call("GET", `/segments/${made.data.id}/contacts`)));
  }
  const row = (name: string, times: readonly number[]): Row => ({
    what: `${what} (${total}), ${name}, ms`,
    ours: Math.max(...times),
    reference: "limit",
    theirs: ANSWER_MS,
    goal: { atMost: ANSWER_MS },
  });
  return [row("preview", previews), row("first page", pages)];
}

const waitRow = (what: string, idle: readonly number[] = [], busy: readonly number[] = []): Row => ({
  what: `${what}, longest wait, ms`,
  ours: waitAt(busy, 1),
  reference: "idle",
  theirs: waitAt(idle, 1),
  goal: { atMost: WAIT_MS },
});

const ordersFor = ({ url, key }: Audience): Orders => ({
  url,
  key,
  requests: {
    "GET /contacts": { perSecond: 50, method: "GET", path: "/api/v1/contacts" },
    "POST /events": {
      perSecond: 50,
      method: "POST",
      path: "/api/v1/events",
      body: { name: "seen", email: "beside@example.com", properties: { n: "{n}" } },
    },
  },
});

async function beside(orders: Orders, work: () => Promise<void>): Promise<ClientWaits> {
  const stop = startClient(orders);
  await work();
  return stop();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
