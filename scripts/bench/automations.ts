/**
 * `bun scripts/bench/automations.ts [ENROLLMENTS] [tag|mail]`: so many runs of two workspaces fall due in the same second, each with a
 * condition, a tag or a mail, and a wait. Prints how fast they drain, and how long requests and transactional mail take meanwhile, beside an idle server.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { runPostrider, startPostrider, type Postrider } from "./processes.ts";
import { startTinySink } from "./tiny-sink.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
const SINK_PORT = 18_094;
const LINE = '<p>Some text for {{ contact.email }} and <a href="https://example.org/x">a link</a>.</p>';
const ACTIONS = {
  tag: { action: "add_tag", tag: "seen" },
  mail: {
    action: "send_email",
    subject: "Hello {{ contact.firstName }}",
    html: `<html><body>${LINE.repeat(30)}</body></html>`,
  },
};
const ACTION = process.argv[3] === "mail" ? ACTIONS.mail : ACTIONS.tag;

const sink = startTinySink(SINK_PORT);
const server = await startPostrider(`smtp://127.0.0.1:${SINK_PORT}`, 18_093);
const other = JSON.parse(
  await runPostrider(["workspace", "create", "--name", "Other", "--json", "--data-dir", server.dataDir]),
) as { key: string };

const FLOW = {
  nodes: [
    { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
    {
      id: "if",
      type: "condition",
      data: {
        all: [
          { field: "firstName", op: "exists" },
          { field: "score", op: "lessThan", value: 5 },
        ],
      },
    },
    { id: "act", type: "action", data: ACTION },
    { id: "wait", type: "wait", data: { amount: 1, unit: "days" } },
  ],
  edges: [
    { source: "in", target: "if" },
    { source: "if", target: "act", sourceHandle: "true" },
    { source: "act", target: "wait" },
  ],
};

async function makeLive(key: string): Promise<void> {
  const call = (method: string, path: string, body: unknown) =>
    fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  const { data } = (await (await call("POST", "/automations", {})).json()) as { data: { id: string } };
  await call("PATCH", `/automations/${data.id}`, { flowJson: FLOW, status: "LIVE" });
}

function makeRuns(database: Database, dueAt: number): void {
  database.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, 1 + i % 2, 'reader-' || i || '@example.com', 'Ada', '', 'SUBSCRIBED', 'reader-' || i, 0 FROM n;
     INSERT INTO enrollments (id, automation, contact, depth, status, node, next_run_at, enrolled_at)
     SELECT 'enr_' || seq, workspace, seq, 0, 'ACTIVE', 'in', ${dueAt}, ${dueAt} FROM contacts`,
  );
}

type Figures = Record<string, number[]>;

/** Requests one after the other, of each kind, until `isOver`. */
async function probe(to: Postrider, isOver: () => boolean): Promise<Figures> {
  const figures: Figures = {};
  const kinds: Record<string, () => Promise<unknown>> = {
    "GET /contacts": () => to.call("GET", "/contacts?limit=20"),
    "POST /events": () => to.call("POST", "/events", { name: "seen", email: "probe@example.org" }),
    "POST /send": () => to.call("POST", "/send", { to: "probe@example.org", subject: "Code", text: "1234" }),
  };
  const loop = async (kind: string, ask: () => Promise<unknown>): Promise<void> => {
    while (!isOver()) {
      const startedMs = performance.now();
      await ask();
      (figures[kind] ??= []).push(performance.now() - startedMs);
      await Bun.sleep(10);
    }
  };
  await Promise.all(Object.entries(kinds).map(([kind, ask]) => loop(kind, ask)));
  return figures;
}

const after = (ms: number) => {
  const until = performance.now() + ms;
  return () => performance.now() > until;
};
const share = (values: number[], of: number) =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * of)]! * 10) / 10;
const show = (name: string, figures: Figures) =>
  console.table(
    Object.entries(figures).map(([kind, ms]) => ({
      [name]: kind,
      requests: ms.length,
      p50: share(ms, 0.5),
      p99: share(ms, 0.99),
      max: share(ms, 1),
    })),
  );

const database = new Database(join(server.dataDir, "postrider.db"));
database.exec("PRAGMA busy_timeout = 20000");
for (const key of [server.key, other.key]) await makeLive(key);
await probe(server, after(1_000));
show("idle, ms", await probe(server, after(4_000)));
const dueAt = Date.now() + 20_000;
makeRuns(database, dueAt);
await Bun.sleep(Math.max(0, dueAt - Date.now()));
const startedMs = performance.now();
const due = database.query<{ n: number }, []>(
  `SELECT count(*) AS n FROM enrollments WHERE status = 'ACTIVE' AND next_run_at <= ${dueAt}`,
);
let left = COUNT;
let drainedMs = 0;
const watch = setInterval(() => {
  left = due.get()!.n;
  if (left === 0 && drainedMs === 0) drainedMs = performance.now() - startedMs;
}, 500);
const busy = await probe(server, () => left === 0);
clearInterval(watch);
show("draining, ms", busy);
console.log(
  `${COUNT} runs of ${FLOW.nodes.length} nodes drained in ${(drainedMs / 1000).toFixed(1)} s: ${Math.round((COUNT * 1000) / drainedMs)} runs a second`,
);
database.close();
await server.stop();
sink.stop();
