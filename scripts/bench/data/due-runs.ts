/**
 * Runs of automations that all fall due in the same second: two workspaces, a condition, a tag or a mail, and
 * a wait.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { runPostrider, type Postrider } from "../processes/processes.ts";

const LINE = '<p>Some text for {{ contact.email }} and <a href="https://example.org/x">a link</a>.</p>';

const ACTIONS = {
  tag: { action: "add_tag", tag: "seen" },
  mail: {
    action: "send_email",
    subject: "Hello {{ contact.firstName }}",
    html: `<html><body>${LINE.repeat(30)}</body></html>`,
  },
};
export type DueAction = keyof typeof ACTIONS;

const edge = (source: string, target: string, sourceHandle?: string) => ({ source, target, sourceHandle });
const flowOf = (action: DueAction) => ({
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
    { id: "act", type: "action", data: ACTIONS[action] },
    { id: "wait", type: "wait", data: { amount: 1, unit: "days" } },
  ],
  edges: [edge("in", "if"), edge("if", "act", "true"), edge("act", "wait")],
});

/**
 * Makes automations and so many runs of them, due from `dueAt` on. `areLeft` reads one row: a count would delay the
 * probing client itself.
 */
export async function makeDueRuns(server: Postrider, count: number, action: DueAction) {
  for (const key of [server.key, await otherKey(server)]) await makeLive(server, key, action);
  const database = new Database(join(server.dataDir, "postrider.db"));
  database.exec("PRAGMA busy_timeout = 20000");
  const dueAt = Date.now() + 4_000 + count / 40;
  insertRuns(database, count, dueAt);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  await Bun.sleep(Math.max(0, dueAt - Date.now()));
  const left = database.query<object, []>(
    `SELECT 1 FROM automations a WHERE EXISTS (
       SELECT 1 FROM enrollments WHERE automation = a.seq AND status = 'ACTIVE' AND next_run_at <= ${dueAt})`,
  );
  const sent = database.query<{ n: number }, []>(
    "SELECT coalesce(sum(sent), 0) AS n FROM mailings WHERE kind = 'automation'",
  );
  return {
    areLeft: () => left.get() !== null,
    mailsSent: () => sent.get()!.n,
    close: () => database.close(),
  };
}

/** The key of a second workspace, which may send as well. */
async function otherKey({ dataDir }: Postrider): Promise<string> {
  const place = ["--data-dir", dataDir];
  const other = JSON.parse(
    await runPostrider(["workspace", "create", "--name", "Other", "--json", ...place]),
  ) as { id: string; key: string };
  const settings = ["mailingAddress=2 Bench Street", "fromEmail=other@example.org"];
  await runPostrider(["settings", "set", "--workspace", other.id, ...place, ...settings]);
  return other.key;
}

async function makeLive(server: Postrider, key: string, action: DueAction): Promise<void> {
  const call = (method: string, path: string, body: unknown) =>
    fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  const { data } = (await (await call("POST", "/automations", {})).json()) as { data: { id: string } };
  await call("PATCH", `/automations/${data.id}`, { flowJson: flowOf(action), status: "LIVE" });
}

function insertRuns(database: Database, count: number, dueAt: number): void {
  database.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, 1 + i % 2, 'reader-' || i || '@example.com', 'Ada', '', 'SUBSCRIBED', 'reader-' || i, 0 FROM n;
     INSERT INTO enrollments (id, automation, contact, depth, status, node, next_run_at, enrolled_at)
     SELECT 'enr_' || c.seq, a.seq, c.seq, 0, 'ACTIVE', 'in', ${dueAt}, ${dueAt}
     FROM (SELECT max(seq) AS seq, workspace FROM automations GROUP BY workspace) AS a CROSS JOIN contacts AS c
       ON c.workspace = a.workspace WHERE c.email LIKE 'reader-%'`,
  );
}
