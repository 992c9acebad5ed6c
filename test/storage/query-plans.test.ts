import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { apiRoutes } from "#app/http.ts";
import { systemClock } from "#core/time/clock.ts";
import type { Route } from "#http/routes/route.ts";
import { contactIndex } from "#storage/sqlite/search/search-index.ts";
import { outboxStore } from "#storage/sqlite/webhooks/outbox-store.ts";
import { chain, enrollmentsOf, live } from "../support/automations/automations.ts";
import { imported } from "../support/people/imports.ts";
import { person } from "../support/people/people.ts";
import { eventually } from "../support/common/eventually.ts";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../support/sending/sending.ts";
import { spyOnStatements, type StatementSpy } from "../support/storage/statement-spy.ts";

/** Beyond this many contacts a `q` asks the trigram index. */
const CONTACTS = 5_100;

let api: SendingApi;
let spy: StatementSpy;
let routes: Route[];
const ids: Record<string, string> = {};

beforeAll(async () => {
  spy = spyOnStatements();
  // Jobs that clean up from time to time read in their own way. Durations stand still, so none of them begins while
  // requests are looked at, however long that takes.
  const clock = { ...systemClock, monotonicMs: () => 0 };
  api = await startSending(
    { RCPT: ({ rcptTo }) => (rcptTo[0] === "later@example.com" ? "451 4.3.0 Later" : undefined) },
    { clock },
  );
  routes = Object.values(apiRoutes(api.services, api.sending)).flat();
  const { listId, contactIds } = await makeAudience(api, [
    "ada@example.com",
    "grace@example.org",
    "later@example.com",
  ]);
  Object.assign(ids, { lists: listId, contacts: contactIds[0], campaigns: await makeCampaign(api, listId) });
  await send(api, ids["campaigns"]!);
  ids["draft"] = await makeCampaign(api, null);
  ids["messages"] = await sentMessage();
  ids["bounces"] = await keptBounce();
});

async function sentMessage(): Promise<string> {
  await api.call("POST", "/send", { to: "ada@example.com", subject: "Receipt", text: "Thank you." });
  return (await api.call("GET", "/messages")).body.data[0].id;
}

async function keptBounce(): Promise<string> {
  const raw = Buffer.from(
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b--\r\n",
  );
  const { bounces } = api.services;
  await bounces.takeMail({ raw, way: "smtp", envelopeRecipients: [], workspaceIds: [api.workspaceId] });
  return (await api.call("GET", "/bounces")).body.data[0].id;
}

afterAll(async () => {
  spy.stop();
  await api.stop();
});

type Node = { id: number; parent: number; detail: string };
const LIMITED = /^SCAN (\(subquery-\d+\)|newest|page|used)$/;
/** Rows that were named one by one, and so are not many. */
const NAMED = /^SCAN json_each\b/;
const HARMLESS = /^SCAN (json_each\b|(\d+ )?CONSTANT ROWS?|\w+ VIRTUAL TABLE INDEX \d+:M)/;
/**
 * What reads a set of some hundred rows, whatever is in the database: workspaces and their webhooks, and the imports
 * that are not over, which have an index of their own. A search by halves has a row for each half.
 */
const SMALL = /^SCAN (workspaces|w|webhooks|oldest|halves|imports USING COVERING INDEX imports_running)\b/;

const TRANSACTION = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/;

/**
 * The parts of a statement's plan that grow with the data: a table that is read from end to end, or rows that
 * are sorted before the first is shown. Sorting is allowed after a subquery with a LIMIT, and of rows that
 * the caller has named.
 */
function growing(sql: string): string[] {
  if (TRANSACTION.test(sql)) return [];
  const explain = api.services.database.sqlite.prepare<Node, []>(`EXPLAIN QUERY PLAN ${sql}`);
  const nodes = explain.all();
  // The plan of a write counts as a write under way, and nothing could be committed beside it.
  explain.finalize();
  const scans = nodes.filter(
    ({ detail }) =>
      detail.startsWith("SCAN") && ![LIMITED, HARMLESS, SMALL].some((fine) => fine.test(detail)),
  );
  const sorts = nodes.filter(({ detail, parent }) => {
    if (!detail.startsWith("USE TEMP B-TREE")) return false;
    const source = nodes.find((node) => node.parent === parent && /^(SCAN|SEARCH)/.test(node.detail));
    return !source || !(LIMITED.test(source.detail) || NAMED.test(source.detail));
  });
  return [...scans, ...sorts].map(({ detail }) => `${detail}: ${sql.replace(/\s+/g, " ")}`);
}

const growingNow = (): string[] => spy.take().flatMap(growing);

/** What makes one of anything that is made by POST, for the routes that need an id. */
const ANYTHING = {
  name: "Spring",
  subject: "Spring",
  body: "<p></p>",
  email: "ada@example.com",
  rules: { field: "email", op: "exists" },
  url: "https://example.com/hook",
  events: ["contact.created"],
  role: "viewer",
};

/** A GET route's path with ids of records that are there. */
async function pathOf({ path }: Route): Promise<string> {
  const resource = /([a-z-]+)\/:/.exec(path)?.[1] ?? path.split("/")[1]!;
  if (path.startsWith("/imports/:") && !ids[resource])
    ids[resource] = (await imported(api, "email\nx\n", { status: "PENDING" })).id;
  // A dry run is about a send that has not begun.
  if (path.includes("/check/")) return path.replace(":id", ids["draft"]!);
  if (path.includes(":") && !ids[resource]) {
    ids[resource] = (await api.call("POST", `/${resource}`, ANYTHING)).body.data.id;
  }
  return path.replaceAll(/:\w+/g, () => ids[resource]!);
}

/** The values worth trying for a query parameter: each may lead to a statement of its own. */
const VALUES: Record<string, readonly string[]> = {
  status: ["SUBSCRIBED", "DRAFT", "LIVE", "ACTIVE"],
  state: ["SENT", "QUEUED", "DELIVERED"],
  tag: ["vip"],
  q: ["a", "reader", "nobody-at-all"],
  name: ["order_placed"],
  contactId: ["ct_nobody"],
  email: ["ada@example.com"],
  reason: ["MANUAL", "SUPPRESSED"],
  include: ["scope", "attributes,lastOpenedAt"],
};

const queriesOf = ({ query }: Route): string[] => {
  const names = Object.keys(query?.properties ?? {}).filter((name) => name in VALUES);
  const combined = (rest: string[]): string[] => {
    const [name, ...others] = rest;
    if (name === undefined) return [""];
    return combined(others).flatMap((tail) => [
      tail,
      ...VALUES[name]!.map((value) => `&${name}=${value}${tail}`),
    ]);
  };
  return combined(names);
};

async function growingOfEveryRoute(): Promise<string[]> {
  const found = new Set<string>();
  const asked = new Set<string>();
  // The sessions of one person are no table that grows, and no key may ask for them.
  const readable = routes.filter(
    ({ method, access = "workspace" }) => method === "GET" && access === "workspace",
  );
  for (const route of readable) {
    for (const query of queriesOf(route)) {
      const path = await pathOf(route);
      spy.take();
      const { status } = await api.call("GET", `${path}?limit=2${query}`);
      if (status === 200) asked.add(route.path);
      else expect([route.path, query, status]).toEqual([route.path, query, 422]);
      for (const fault of growingNow()) found.add(`${route.path}${query} ${fault}`);
    }
  }
  expect([...asked].toSorted()).toEqual([...new Set(readable.map(({ path }) => path))].toSorted());
  return [...found];
}

describe("no request reads or sorts a whole table", () => {
  test("the check can fail: it sees a scan and a sort", () => {
    expect(growing("SELECT * FROM contacts WHERE first_name = 'Ada'").length).toBe(1);
    expect(growing("SELECT seq FROM contacts WHERE workspace = 1 ORDER BY first_name").length).toBe(1);
    expect(growing("SELECT seq FROM contacts WHERE workspace = 1 AND email = ''")).toEqual([]);
  });

  test("the spy sees the statements of a request", async () => {
    spy.take();
    await api.call("GET", "/contacts");
    expect(spy.take().filter((sql) => sql.includes("contacts_by_status")).length).toBe(1);
  });

  test("whatever GET route is asked, with whatever filters", async () => {
    expect(await growingOfEveryRoute()).toEqual([]);
  });

  test("nor with so many contacts that the trigram index is asked", async () => {
    const insert = api.services.database.sqlite.query(
      `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
       SELECT 'ct_many_' || value, 1, 'reader-' || value || '@example.com', '', '', 'SUBSCRIBED', 'reader-' || value || '@example.com', 0 FROM json_each(?)`,
    );
    insert.run(JSON.stringify(Array.from({ length: CONTACTS }, (_, i) => i)));
    await contactIndex(api.services.database).catchUp();
    expect(await growingOfEveryRoute()).toEqual([]);
    await api.call("GET", "/contacts?q=nobody-at-all");
    expect(spy.take().some((sql) => sql.includes("MATCH"))).toBe(true);
  });
});

test("nor does the tidying of what webhooks were told", async () => {
  spy.take();
  expect(await outboxStore(api.services.database).clear(0, 100)).toBe(false);
  await outboxStore(api.services.database).drawIn(0);
  const statements = spy.take();
  expect(statements.length).toBeGreaterThanOrEqual(4);
  expect(statements.flatMap(growing)).toEqual([]);
});

test("nor does a trigger count the earlier runs of its contact", async () => {
  const id = await live(api, chain({ trigger: "tag_added", tag: "counted" }));
  spy.take();
  await person(api, "often@example.com", { tags: ["counted"] });
  await eventually(async () => (await enrollmentsOf(api, id)).length === 1);
  const earlier = spy.take().filter((sql) => /FROM enrollments WHERE contact = /.test(sql));
  expect(earlier).toHaveLength(1);
  const opcodes = earlier.flatMap((sql) => {
    const explain = api.services.database.sqlite.prepare<{ opcode: string }, []>(`EXPLAIN ${sql}`);
    const all = explain.all();
    explain.finalize();
    return all.map(({ opcode }) => opcode);
  });
  expect(opcodes).toContain("SeekGE");
  expect(opcodes).not.toContain("AggStep");
});

/** There may be thousands that are being sent. */
test("nor do the problems of an automation look at the mailings of others", async () => {
  const id = await live(api, chain({ trigger: "tag_added", tag: "looked at" }));
  spy.take();
  await api.call("GET", `/automations/${id}/problems`);
  const waiting = spy.take().filter((sql) => /FROM automation_mailings a\b/.test(sql));
  expect(waiting).toHaveLength(1);
  const plans = waiting.map((sql) => {
    const explain = api.services.database.sqlite.prepare<Node, []>(`EXPLAIN QUERY PLAN ${sql}`);
    const all = explain.all();
    explain.finalize();
    return all.map(({ detail }) => detail.slice(0, "SEARCH a".length));
  });
  expect(plans).toEqual([["SEARCH a", "SEARCH m"]]);
});

describe("nor does sending", () => {
  test("from the plan to the last message, and while the scheduler looks", async () => {
    const { listId } = await makeAudience(api, ["linus@example.com", "alan@example.com"]);
    const id = await makeCampaign(api, listId);
    spy.take();
    await send(api, id, { excludeEmails: ["alan@example.com"] });
    await api.call("DELETE", `/campaigns/${ids["campaigns"]}`);
    const statements = spy.take();
    expect(statements.length).toBeGreaterThan(20);
    expect(
      statements.filter((sql) => !/^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/.test(sql)).flatMap(growing),
    ).toEqual([]);
  });
});
