import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { chain, draft, live } from "../../support/automations/automations.ts";
import { edges, node } from "../../support/automations/flows.ts";
import { person } from "../../support/people/people.ts";
import { postrider } from "../../support/server/postrider.ts";
import { numberOf, SENDER } from "../../support/sending/sending.ts";

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());

const run = (...args: string[]) => postrider(api.dataDir, args);
const json = async (...args: string[]): Promise<any> => {
  const { code, out, err } = await run(...args, "--json");
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
};

describe("scoring add, list, remove", () => {
  test("normalize the name, print the documented members, and count at the running server's next request", async () => {
    const ada = await person(api, "ada@example.com");
    await api.call("POST", "/events", { name: "order_placed", email: "ada@example.com", valueCents: 5_000 });
    const rule = await json(
      "scoring",
      "add",
      "--event",
      "OrderPlaced",
      "--min-value-cents",
      "5000",
      "--points",
      "20",
    );
    expect(rule).toEqual({ id: expect.any(String), event: "order_placed", minValueCents: 5_000, points: 20 });
    expect(await json("scoring", "list")).toEqual([rule]);
    expect((await api.call("GET", `/contacts/${ada.id}/score`)).body.data.score).toBe(20);
    expect((await run("scoring", "remove", rule.id)).code).toBe(0);
    expect(await json("scoring", "list")).toEqual([]);
    expect((await run("scoring", "remove", rule.id)).code).toBe(1);
  });

  test.each([
    [["--points", "5"], "--event"],
    [["--event", "x"], "--points"],
    [["--event", "x", "--points", "0"], "--points"],
    [["--event", "x", "--points", "5", "--min-value-cents", "1.5"], "--min-value-cents"],
  ] as const)("%p is refused in one line that names %s, exit code 2", async (flags, named) => {
    const { code, err } = await run("scoring", "add", ...flags);
    expect([code, err.trim().split("\n").length, err.includes(named)]).toEqual([2, 1, true]);
  });
});

describe("automation simulate", () => {
  const flow = {
    nodes: [
      node("in", "trigger", { trigger: "custom_event", eventName: "order_placed" }),
      node("thanks", "action", {
        action: "send_email",
        subject: "Thanks for {{ event.properties.plan }}",
        html: "<p>x</p>",
      }),
      node("wait", "wait", { amount: 3, unit: "days" }),
      node("pro", "condition", {
        all: [
          { field: "trigger.plan", op: "equals", value: "pro" },
          { field: "tag", op: "notEquals", value: "no-tips" },
        ],
      }),
      node("tag", "action", { action: "add_tag", tag: "pro" }),
      node("tips", "action", {
        action: "send_email",
        subject: "{{ contact.tags | join: ',' }}",
        html: "<p>x</p>",
      }),
      node("out", "end"),
    ],
    edges: edges(
      "in>thanks",
      "thanks>wait",
      "wait>pro",
      "pro>tag true",
      "pro>out false",
      "tag>tips",
      "tips>out",
    ),
  };
  const shown = (simulation: any) =>
    simulation.steps.map(({ nodeId, subject }: any) => (subject === null ? nodeId : `${nodeId}: ${subject}`));

  test("walks a draft by the engine's rules with dates and subjects, and writes and sends nothing", async () => {
    await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
    const id = await draft(api, flow);
    await person(api, "grace@example.org", { tags: ["beta"] });
    const rows = () =>
      ["events", "enrollments", "deliveries", "automation_starts"].map((table) =>
        numberOf(api, `SELECT count(*) AS n FROM ${table}`),
      );
    const before = rows();
    const pro = await json(
      "automation",
      "simulate",
      id,
      "--contact",
      "grace@example.org",
      "--event",
      "Order Placed",
      "--properties",
      '{"plan":"pro"}',
    );
    expect(shown(pro)).toEqual([
      "in",
      "thanks: Thanks for pro",
      "wait",
      "wait",
      "pro",
      "tag",
      "tips: beta,pro",
      "out",
    ]);
    expect(pro.status).toBe("COMPLETED");
    expect(Date.parse(pro.steps.at(-1).at) - Date.parse(pro.steps[0].at)).toBe(3 * 24 * 3_600_000);
    const basic = await json(
      "automation",
      "simulate",
      id,
      "--contact",
      "stranger@example.org",
      "--properties",
      '{"plan":"basic"}',
    );
    expect(shown(basic)).toEqual(["in", "thanks: Thanks for basic", "wait", "wait", "pro", "out"]);
    const short = await json("automation", "simulate", id, "--contact", "grace@example.org", "--days", "2");
    expect([short.status, shown(short)]).toEqual(["ACTIVE", ["in", "thanks: Thanks for", "wait"]]);
    expect(rows()).toEqual(before);
  });

  test("prints a line for each step to a person, and says where a run would fail", async () => {
    const id = await draft(
      api,
      chain({ trigger: "new_subscriber" }, ["x", "action", { action: "add_to_list", listId: "list_no" }]),
    );
    const { out, code } = await run("automation", "simulate", id, "--contact", "ada@example.com");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^\d{4}-\d\d-\d\dT\S+Z {2}in: enters\n.*x: The step "x" cannot run: There is no list "list_no".*\nFAILED\.\n$/,
    );
    expect((await run("automation", "simulate", "aut_no", "--contact", "ada@example.com")).code).toBe(1);
    expect((await run("automation", "simulate", id, "--contact", "nobody")).code).toBe(2);
    expect(
      (await run("automation", "simulate", id, "--contact", "ada@example.com", "--properties", "[]")).code,
    ).toBe(2);
    expect((await json("automation", "list")).map(({ id: each }: any) => each)).toContain(id);
  });
});

describe("import contacts", () => {
  test("starts automations only with --trigger-automations", async () => {
    await live(api, chain({ trigger: "new_subscriber" }, ["w", "wait", { amount: 1, unit: "days" }]));
    const file = join(api.dataDir, "people.csv");
    const all = () =>
      numberOf(
        api,
        "SELECT (SELECT count(*) FROM enrollments) + (SELECT count(*) FROM automation_starts) AS n",
      );
    const before = all();
    const started = () => all() - before;
    writeFileSync(file, "email\nquiet@example.com\n");
    await json("import", "contacts", file, "--status", "SUBSCRIBED");
    expect(started()).toBe(0);
    writeFileSync(file, "email\nloud@example.com\n");
    await json("import", "contacts", file, "--status", "SUBSCRIBED", "--trigger-automations");
    expect(started()).toBe(1);
    expect((await run("import", "contacts", file, "--trigger-automations=yes")).code).toBe(2);
  });
});
