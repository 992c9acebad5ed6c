import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chain, live, pass, settled } from "../../support/automations/automations.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { numberIn, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { HOUR } from "../../support/common/durations.ts";

let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
// It also holds what is counted against the runs (test/support/storage/ledger-check.ts).
afterEach(() => api.stop({ graceMs: 0 }));

const FLOW = chain(
  { trigger: "new_subscriber" },
  ["hello", "action", { action: "send_email", subject: "Hello", html: "<p>Hello</p>" }],
  ["pause", "wait", { amount: 1, unit: "hours" }],
  ["name", "action", { action: "set_field", field: "firstName", value: "Reader" }],
  ["out", "end"],
);
const NONE = { entered: 0, waiting: 0, completed: 0, failed: 0, sent: 0, opened: 0, clicked: 0 };
const statsOf = async (id: string): Promise<any[]> =>
  (await api.call("GET", `/automations/${id}/stats`)).body.data;
const at = async (id: string, nodeId: string) => (await statsOf(id)).find((each) => each.nodeId === nodeId);

describe("GET /automations/{id}/stats", () => {
  test("has every node in the order of the flow, and follows runs from one to the next", async () => {
    const id = await live(api, FLOW);
    const nodes = ["in", "hello", "pause", "name", "out"];
    expect(await statsOf(id)).toEqual(nodes.map((nodeId) => ({ nodeId, ...NONE })));
    for (const name of ["ada", "grace", "linus"]) await person(api, `${name}@example.com`);
    await settled(api, clock);
    const passed = { ...NONE, entered: 3, completed: 3 };
    expect(await statsOf(id)).toEqual([
      { nodeId: "in", ...passed },
      { nodeId: "hello", ...passed, sent: 3 },
      { nodeId: "pause", ...NONE, entered: 3, waiting: 3 },
      { nodeId: "name", ...NONE },
      { nodeId: "out", ...NONE },
    ]);
    await pass(api, clock, HOUR + 1);
    const after = await statsOf(id);
    expect(
      after.map(({ nodeId, entered, waiting, completed }) => [nodeId, entered, waiting, completed]),
    ).toEqual(nodes.map((nodeId) => [nodeId, 3, 0, 3]));
  });

  test("counts opens and clicks of a node's mail, each message once", async () => {
    const id = await live(api, FLOW);
    await person(api, "ada@example.com");
    await settled(api, clock);
    const { ledger } = api.services;
    const seq = await numberIn(api, "SELECT seq FROM deliveries");
    const hit = { message: seq, by: "person", at: clock.now(), times: 2 } as const;
    await ledger.recordEngagement(
      [
        { ...hit, kind: "open", link: null },
        { ...hit, kind: "click", link: { number: 0, url: "https://shop.example.org" } },
      ],
      () => false,
    );
    expect(await at(id, "hello")).toMatchObject({ sent: 1, opened: 1, clicked: 1 });
  });

  test("a run that fails is counted there, and a contact that is deleted waits no more", async () => {
    const broken = chain(
      { trigger: "tag_added", tag: "go" },
      ["pause", "wait", { amount: 1, unit: "hours" }],
      ["odd", "action", { action: "no_such_action" }],
    );
    const id = await live(api, broken);
    const ada = await person(api, "ada@example.com", { tags: ["go"] });
    await person(api, "grace@example.com", { tags: ["go"] });
    await settled(api, clock);
    expect(await at(id, "pause")).toMatchObject({ entered: 2, waiting: 2 });
    await api.call("DELETE", `/contacts/${ada.id}`);
    expect(await at(id, "pause")).toMatchObject({ entered: 2, waiting: 1, completed: 0 });
    await pass(api, clock, HOUR + 1);
    expect(await at(id, "pause")).toMatchObject({ entered: 2, waiting: 0, completed: 1 });
    expect(await at(id, "odd")).toMatchObject({ entered: 1, waiting: 0, completed: 0, failed: 1 });
  });

  test("a node that was taken out of the flow stays, behind the others; a run that comes again counts again", async () => {
    const flow = chain({ trigger: "custom_event", eventName: "visit" }, ["out", "end"]);
    const id = await live(api, flow);
    await person(api, "ada@example.com");
    for (let i = 0; i < 2; i++) {
      await api.call("POST", "/events", { name: "visit", email: "ada@example.com" });
      await settled(api, clock);
    }
    await api.call("PATCH", `/automations/${id}`, {
      flowJson: chain({ trigger: "custom_event", eventName: "visit" }, ["end", "end"]),
    });
    expect((await statsOf(id)).map(({ nodeId, entered }) => [nodeId, entered])).toEqual([
      ["in", 2],
      ["end", 0],
      ["out", 2],
    ]);
  });

  test("of another workspace's automation is 404", async () => {
    expect((await api.call("GET", "/automations/aut_nobody/stats")).status).toBe(404);
  });
});
