import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { automationOf, chain, draft, live, settled } from "../../support/automations/automations.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { driven } from "../../support/sending/sending.ts";

let clock: ManualClock;
let api: TestApi;
beforeAll(async () => {
  clock = manualClock();
  api = await startApi({ clock });
});
afterAll(() => driven(clock, api.stop({ graceMs: 0 }), 1_000));

const create = async (body: unknown = {}) => (await api.call("POST", "/automations", body)).body.data;
const patch = (id: string, body: unknown) => api.call("PATCH", `/automations/${id}`, body);
const flowOf = async (id: string) => (await api.call("GET", `/automations/${id}/flow`)).body.data;

describe("an automation", () => {
  test("is created as a DRAFT with one trigger node: new subscriber joins", async () => {
    const answer = await api.call("POST", "/automations", { name: " Welcome " });
    expect(answer.status).toBe(201);
    const { id, createdAt } = answer.body.data;
    expect(answer.body.data).toEqual({
      id,
      name: "Welcome",
      status: "DRAFT",
      createdAt,
      updatedAt: createdAt,
      activeEnrollments: 0,
    });
    expect(await flowOf(id)).toEqual({
      nodes: [{ id: "trigger", type: "trigger", data: { trigger: "new_subscriber" } }],
      edges: [],
    });
  });

  test.each([[undefined], [{}], ["not json"], [{ name: "" }], [{ name: "  " }], [{ name: null }]])(
    "without a name, sent as %j, is called Untitled automation",
    async (body) => expect((await create(body)).name).toBe("Untitled automation"),
  );

  test("with a name that is no string is refused", async () => {
    expect((await api.call("POST", "/automations", { name: 7 })).status).toBe(422);
  });

  test("is not seen from another workspace, by any route", async () => {
    const { id } = await create();
    const other = await api.services.workspaces.create("Other");
    const routes = [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/enrollments"],
      ["GET", "/flow"],
      ["GET", "/problems"],
    ] as const;
    for (const [method, rest] of routes)
      expect(
        (
          await api.call(
            method,
            `/automations/${id}${rest}`,
            method === "PATCH" ? { name: 7 } : undefined,
            other.key,
          )
        ).status,
      ).toBe(404);
    expect((await api.call("GET", "/automations", undefined, other.key)).body.pagination.total).toBe(0);
    expect((await automationOf(api, id)).status).toBe("DRAFT");
  });

  test("that is deleted is gone from every route and every total, a second DELETE is 404", async () => {
    const { id } = await create();
    const before = (await api.call("GET", "/automations")).body.pagination.total;
    expect((await api.call("DELETE", `/automations/${id}`)).status).toBe(204);
    for (const rest of ["", "/enrollments", "/flow", "/problems"])
      expect((await api.call("GET", `/automations/${id}${rest}`)).status).toBe(404);
    expect((await patch(id, { status: "LIVE" })).status).toBe(404);
    expect((await api.call("DELETE", `/automations/${id}`)).status).toBe(404);
    expect((await api.call("GET", "/automations")).body.pagination.total).toBe(before - 1);
  });

  test("is listed newest first, by status where asked; another status is 422", async () => {
    const { key } = await api.services.workspaces.create("Lister");
    const made = async (name: string): Promise<string> =>
      (await api.call("POST", "/automations", { name }, key)).body.data.id;
    const [first, second] = [await made("one"), await made("two")];
    await api.call("PATCH", `/automations/${first}`, { status: "LIVE" }, key);
    const listed = async (query: string) =>
      (await api.call("GET", `/automations?${query}`, undefined, key)).body;
    expect((await listed("limit=2")).data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    const lives = await listed("status=LIVE");
    expect(lives.data.map(({ id }: { id: string }) => id)).toEqual([first]);
    expect(lives.pagination.total).toBe(1);
    expect((await api.call("GET", "/automations?status=live", undefined, key)).status).toBe(422);
    const enrollments = `/automations/${first}/enrollments`;
    expect((await api.call("GET", `${enrollments}?status=LIVE`, undefined, key)).status).toBe(422);
  });
});

describe("GET /automations/{id}/enrollments", () => {
  test("finds one person's by address, and shows addresses only where they are asked for", async () => {
    const { key } = await api.services.workspaces.create("Enrolled");
    const call = async (method: string, path: string, body?: object) =>
      (await api.call(method, path, body, key)).body;
    const { id } = (await call("POST", "/automations", { name: "Welcome" })).data;
    await call("PATCH", `/automations/${id}`, { status: "LIVE" });
    for (const email of ["ada@example.com", "grace@example.com"])
      await call("POST", "/contacts", { email, status: "SUBSCRIBED" });
    await settled(api, clock);
    const path = `/automations/${id}/enrollments`;
    const all = await call("GET", path);
    expect(all.pagination.total).toBe(2);
    expect(Object.keys(all.data[0])).not.toContain("email");
    const one = await call("GET", `${path}?email=GRACE@example.com&include=email`);
    expect(one.data.map(({ email }: any) => email)).toEqual(["grace@example.com"]);
    expect(one.pagination).toMatchObject({ total: 1, hasMore: false });
    expect((await call("GET", `${path}?email=grace@example.com&status=FAILED`)).data).toEqual([]);
    expect((await call("GET", `${path}?email=nobody@example.com`)).data).toEqual([]);
    for (const query of ["email=nobody", "include=contact", "contactId=ct_1"])
      expect((await api.call("GET", `${path}?${query}`, undefined, key)).status).toBe(422);
  });
});

describe("PATCH", () => {
  test("status follows the table, and a refusal changes nothing of the request", async () => {
    const allowed: readonly (readonly [string, string])[] = [
      ["DRAFT", "DRAFT"],
      ["DRAFT", "LIVE"],
      ["PAUSED", "LIVE"],
      ["LIVE", "PAUSED"],
    ];
    for (const from of ["DRAFT", "LIVE", "PAUSED"]) {
      for (const to of ["DRAFT", "LIVE", "PAUSED"]) {
        const { id } = await create({ name: "before" });
        if (from !== "DRAFT") await patch(id, { status: "LIVE" });
        if (from === "PAUSED") await patch(id, { status: "PAUSED" });
        const answer = await patch(id, { status: to, name: "after" });
        const isAllowed = allowed.some(([a, b]) => a === from && b === to);
        expect([from, to, answer.status]).toEqual([from, to, isAllowed ? 200 : 422]);
        if (!isAllowed) expect(answer.body.error.code).toBe("AUTOMATION_WRONG_STATE");
        const found = await automationOf(api, id);
        expect([found.status, found.name]).toEqual(isAllowed ? [to, "after"] : [from, "before"]);
      }
    }
  });

  test("an empty name becomes Untitled automation; an unreadable or empty body changes nothing, updatedAt neither", async () => {
    const made = await create({ name: "Welcome" });
    clock.advance(1_000);
    for (const body of [
      undefined,
      "{",
      {},
      { name: null, flowJson: null, status: null },
      { name: "Welcome" },
    ])
      expect((await patch(made.id, body)).body.data).toEqual(made);
    const changed = (await patch(made.id, { name: " " })).body.data;
    expect(changed.name).toBe("Untitled automation");
    expect(changed.updatedAt > made.updatedAt).toBe(true);
  });

  test("a flow is kept as it was sent, unknown members too", async () => {
    const flowJson = {
      nodes: [
        {
          id: "in",
          type: "trigger",
          data: { trigger: "new_subscriber", label: "Start" },
          position: { x: 1.5, y: 2 },
        },
      ],
      edges: [{ id: "e1", source: "in", target: "nowhere", animated: true }],
      viewport: { zoom: 1 },
    };
    const id = await draft(api, flowJson);
    expect(await flowOf(id)).toEqual(flowJson);
    for (const path of ["", "/enrollments"])
      expect(JSON.stringify((await api.call("GET", `/automations/${id}${path}`)).body)).not.toContain(
        "nodes",
      );
  });

  const OK = { nodes: [{ id: "in", type: "trigger", data: {} }], edges: [] };
  test.each([
    ["flowJson", []],
    ["flowJson", "x"],
    ["flowJson.nodes", {}],
    ["flowJson.edges", { nodes: [] }],
    ["flowJson.nodes[0]", { ...OK, nodes: [null] }],
    ["flowJson.nodes[0].id", { ...OK, nodes: [{ type: "end", data: {} }] }],
    ["flowJson.nodes[1].id", { ...OK, nodes: [...OK.nodes, ...OK.nodes] }],
    ["flowJson.nodes[0].type", { ...OK, nodes: [{ id: "a", type: 1, data: {} }] }],
    ["flowJson.nodes[0].data", { ...OK, nodes: [{ id: "a", type: "end" }] }],
    ["flowJson.nodes[0].data", { ...OK, nodes: [{ id: "a", type: "end", data: [] }] }],
    ["flowJson.edges[0].source", { ...OK, edges: [{ target: "in" }] }],
    ["flowJson.edges[1].target", { ...OK, edges: [{ source: "in", target: "in" }, { source: "in" }] }],
    [
      "flowJson.nodes",
      { ...OK, nodes: Array.from({ length: 501 }, (_, i) => ({ id: `n${i}`, type: "end", data: {} })) },
    ],
    ["flowJson", { ...OK, note: "x".repeat(300_000) }],
  ])("a mismatch is 422 and names %s", async (path, flowJson) => {
    const { id } = await create();
    const before = await flowOf(id);
    const answer = await patch(id, { flowJson, name: "changed" });
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(`\`${path}\``);
    expect([await flowOf(id), (await automationOf(api, id)).name]).toEqual([before, "Untitled automation"]);
  });
});

describe("GET /automations/{id}/problems", () => {
  const problems = async (id: string) => (await api.call("GET", `/automations/${id}/problems`)).body.data;

  test("is empty for a flow that can run", async () => {
    const list = (await api.call("POST", "/lists", { name: "News" })).body.data;
    const flow = chain(
      { trigger: "new_subscriber" },
      [
        "mail",
        "action",
        {
          action: "send_email",
          subject: "Hi",
          mjml: "<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ contact.firstName }}</mj-text></mj-column></mj-section></mj-body></mjml>",
        },
      ],
      ["join", "action", { action: "add_to_list", listId: list.id }],
    );
    expect(await problems(await draft(api, flow))).toEqual([]);
  });

  test("names the node, its place and what to do: templates with line and column, MJML, lists that are not there", async () => {
    const flow = chain(
      { trigger: "new_subscriber" },
      [
        "a",
        "action",
        { action: "send_email", subject: "Hi", html: "<p>\n{{ contact.firstName | nosuch }}</p>" },
      ],
      [
        "b",
        "action",
        {
          action: "send_email",
          subject: "Hi",
          mjml: "<mjml><mj-body><mj-nothing>x</mj-nothing></mj-body></mjml>",
        },
      ],
      ["c", "action", { action: "add_to_list", listId: "list_none" }],
      ["d", "action", { action: "webhook", url: "http://127.0.0.1/hook" }],
    );
    const found = await problems(await draft(api, flow));
    expect(found.map(({ nodeId, path }: any) => [nodeId, path])).toEqual([
      ["a", "nodes[1].data.html"],
      ["c", "nodes[3].data.listId"],
      ["d", "nodes[4].data.url"],
      ["b", "nodes[2].data.mjml"],
    ]);
    expect(found[0].message).toMatch(/line 2, column \d+/);
    expect(found[3].message).toContain("mj-nothing");
  });

  test("names Liquid that MJML drops or tears, which a run would fail of", async () => {
    const mail = (column: string, section = "") => ({
      action: "send_email",
      subject: "Hi",
      mjml: `<mjml><mj-body><mj-section ${section}><mj-column>\n${column}</mj-column></mj-section></mj-body></mjml>`,
    });
    const flow = chain(
      { trigger: "new_subscriber" },
      [
        "dropped",
        "action",
        mail("<mj-carousel>{% if contact.tags %}<mj-carousel-image src='a.png' />{% endif %}</mj-carousel>"),
      ],
      ["torn", "action", mail("<mj-text>x</mj-text>", 'css-class="{{ contact.status | downcase }}"')],
    );
    const found = await problems(await draft(api, flow));
    expect(found.map(({ nodeId, path }: any) => [nodeId, path])).toEqual([
      ["dropped", "nodes[1].data.mjml"],
      ["torn", "nodes[2].data.mjml"],
    ]);
    expect(found[0].message).toMatch(/line 2, column \d+: Liquid at this place would be lost/);
    expect(found[1].message).toContain("MJML changes a Liquid tag");
  });

  test("does not keep a flow from going LIVE", async () => {
    const id = await live(api, { nodes: [], edges: [] });
    expect((await automationOf(api, id)).status).toBe("LIVE");
    expect((await problems(id)).length).toBe(1);
  });
});
