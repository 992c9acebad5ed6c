import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Automation } from "#automations/automation.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { AutomationWrite } from "#automations/store.ts";
import { fieldsOnly } from "#contacts/contact-plan.ts";
import { accept, refuse } from "#core/errors/errors.ts";
import { newList } from "../../../support/people/lists.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { flowAround } from "../../../support/automations/flows.ts";

const FLOW = flowAround("wait", { amount: 1, unit: "days" });
const TAGGED: Flow = {
  ...FLOW,
  nodes: [{ id: "in", type: "trigger", data: { trigger: "tag_added", tag: "vip" } }],
};
const ALL = { limit: 10, before: null };
const ANY = { status: null, email: null };

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`automations on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let automations: OpenedEngine["stores"]["automations"];
    let made = 0;
    const insert = (name = "Welcome", workspaceId = "ws_one") =>
      automations.insert(workspaceId, { id: `aut_${++made}`, name, flow: FLOW, createdAt: made });
    const change = (id: string, over: Partial<AutomationWrite>, at = 900) =>
      automations.change(
        "ws_one",
        id,
        ({ name, status }) => accept({ name, status, flow: undefined, ...over }),
        at,
      );
    const numberOf = async (id: string) =>
      Number((await opened.values(`SELECT seq FROM automations WHERE id = '${id}'`))[0]);
    const startsOf = (automation: number) =>
      opened.values(`SELECT detail FROM automation_starts WHERE automation = ${automation}`);
    /** Somebody new who has the tag. */
    const arrive = async (id: string) => {
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
         VALUES ('${id}', 1, '${id}@example.com', '', '', 'SUBSCRIBED', '', 1)`,
      );
      const triggers = [{ kind: "tag_added", tag: "vip" }] as const;
      await opened.stores.contacts.change("ws_one", id, { setsAttributes: false }, ({ contact }) =>
        accept({ ...fieldsOnly({ ...contact, tags: ["vip"] }, 5), triggers }),
      );
    };
    const enroll = async (automation: number, id: string, more: Record<string, string | number> = {}) => {
      const row = {
        id: `'${id}'`,
        automation,
        depth: 0,
        status: "'ACTIVE'",
        node: "'it'",
        next_run_at: 7,
        enrolled_at: 3,
        ...more,
      };
      await opened.run(
        `INSERT INTO enrollments (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).join(", ")})`,
      );
    };
    const contactOf = async (id: string) =>
      Number((await opened.values(`SELECT seq FROM contacts WHERE id = '${id}'`))[0]);

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ automations } = opened.stores);
    });
    afterAll(() => opened.close());

    test("an automation begins as a draft, and is found in its workspace only", async () => {
      const automation = await insert();
      const { id } = automation;
      expect(automation).toEqual({
        id,
        name: "Welcome",
        status: "DRAFT",
        createdAt: made,
        updatedAt: made,
        activeEnrollments: 0,
      });
      expect(await automations.find("ws_one", id)).toEqual(automation);
      expect(await automations.flow("ws_one", id)).toEqual(FLOW);
      expect(await automations.find("ws_two", id)).toBeNull();
      expect(await automations.flow("ws_two", id)).toBeNull();
      expect(await automations.nodeFigures("ws_two", id)).toBeNull();
      expect(await automations.enrollments("ws_two", id, ANY, ALL)).toBeNull();
      expect(await automations.troubles("ws_two", id)).toEqual([]);
      expect(await automations.delete("ws_two", id, 5)).toBe(false);
      expect(await automations.release("ws_two", id)).toBe("not found");
      expect(await automations.release("ws_one", id)).toBe("not held");
    });

    test("a change is decided over what is stored; the same again changes no time", async () => {
      const { id } = await insert();
      expect(await change(id, { name: "Hello" }, 50)).toMatchObject({
        ok: true,
        value: { name: "Hello", updatedAt: 50 },
      });
      expect(await change(id, { flow: FLOW }, 60)).toMatchObject({ value: { updatedAt: 50 } });
      expect(await change(id, { flow: TAGGED, status: "LIVE" }, 70)).toMatchObject({
        value: { status: "LIVE", updatedAt: 70 },
      });
      expect(await automations.flow("ws_one", id)).toEqual(TAGGED);
      expect(await opened.values(`SELECT flow_version FROM automations WHERE id = '${id}'`)).toEqual([2]);
      expect(await automations.change("ws_one", id, () => refuse("CONFLICT", "no"), 80)).toMatchObject({
        ok: false,
      });
      expect(
        await automations.change(
          "ws_two",
          id,
          ({ name, status }) => accept({ name, status, flow: undefined }),
          80,
        ),
      ).toBeNull();
      expect(await automations.find("ws_one", id)).toMatchObject({ updatedAt: 70 });
    });

    test("changes at the same time follow each other", async () => {
      const { id } = await insert("");
      const longer = ({ name, status }: Automation) => accept({ name: `${name}x`, status, flow: undefined });
      await Promise.all(Array.from({ length: 12 }, () => automations.change("ws_one", id, longer, 5)));
      expect((await automations.find("ws_one", id))!.name).toBe("x".repeat(12));
    });

    test("only what is LIVE hears of triggers, and hears of those of its flow", async () => {
      const { id } = await insert();
      const other = await insert();
      const automation = await numberOf(id);
      await change(other.id, { status: "LIVE" });
      await change(id, { flow: TAGGED });
      await arrive("con_1");
      expect(await startsOf(automation)).toEqual([]);
      await change(id, { status: "LIVE" });
      await arrive("con_2");
      expect(await startsOf(automation)).toEqual(["vip"]);
      await change(id, { status: "PAUSED" });
      await arrive("con_3");
      expect(await startsOf(automation)).toEqual(["vip"]);
      await change(id, { status: "LIVE" });
      expect(await automations.delete("ws_one", id, 9)).toBe(true);
      await arrive("con_4");
      expect(await startsOf(automation)).toEqual(["vip"]);
      expect(await startsOf(await numberOf(other.id))).toEqual([]);
    });

    test("pages come newest first by status, without what was deleted", async () => {
      const ids = [];
      for (const name of ["a", "b", "c", "d"]) ids.push((await insert(name, "ws_two")).id);
      const live = ({ name }: Automation): ReturnType<Parameters<typeof automations.change>[2]> =>
        accept({ name, status: "LIVE", flow: undefined });
      for (const id of [ids[1]!, ids[3]!]) await automations.change("ws_two", id, live, 9);
      await automations.delete("ws_two", ids[3]!, 9);
      expect(await automations.find("ws_two", ids[3]!)).toBeNull();
      const namesOf = async (
        status: Automation["status"] | null,
        limit = 10,
        before: number | null = null,
      ) => {
        const page = await automations.page("ws_two", status, { limit, before });
        return [page.items.map(({ name }) => name), page.total];
      };
      expect(await namesOf(null)).toEqual([["c", "b", "a"], 3]);
      expect(await namesOf("DRAFT")).toEqual([["c", "a"], 2]);
      expect(await namesOf("LIVE")).toEqual([["b"], 1]);
      expect(await namesOf("PAUSED")).toEqual([[], 0]);
      const { nextPosition } = await automations.page("ws_two", null, { limit: 2, before: null });
      expect(await namesOf(null, 2, nextPosition)).toEqual([["a"], 3]);
    });

    test("enrollments come newest first, of one status or one address, and are counted", async () => {
      const { id } = await insert();
      const automation = await numberOf(id);
      const people = ["ada", "bob"].map((name) => `con_${name}`);
      for (const person of people) await arrive(person);
      const [ada, bob] = await Promise.all(people.map(contactOf));
      await enroll(automation, "enr_1", { contact: ada!, status: "'COMPLETED'", completed_at: 9 });
      await enroll(automation, "enr_2", {
        contact: bob!,
        status: "'FAILED'",
        completed_at: 8,
        error_message: "'no'",
      });
      await enroll(automation, "enr_3", { contact: ada! });
      const pageOf = async (
        filter: Partial<typeof ANY> | object,
        limit = 10,
        before: number | null = null,
      ) => {
        const page = (await automations.enrollments("ws_one", id, { ...ANY, ...filter }, { limit, before }))!;
        return [page.items.map((one) => one.id), page.total, page.nextPosition] as const;
      };
      expect(await pageOf({})).toEqual([["enr_3", "enr_2", "enr_1"], 3, null]);
      expect(await pageOf({ status: "FAILED" })).toEqual([["enr_2"], 1, null]);
      expect(await pageOf({ email: "con_ada@example.com" })).toEqual([["enr_3", "enr_1"], 2, null]);
      expect(await pageOf({ email: "con_ada@example.com", status: "ACTIVE" })).toEqual([["enr_3"], 1, null]);
      expect(await pageOf({ email: "nobody@example.com" })).toEqual([[], 0, null]);
      const [, , next] = await pageOf({}, 2);
      expect(await pageOf({}, 2, next)).toEqual([["enr_1"], 3, null]);
      const [ofOne] = (await automations.enrollments("ws_one", id, { ...ANY, status: "FAILED" }, ALL))!.items;
      expect(ofOne).toEqual({
        id: "enr_2",
        contactId: "con_bob",
        email: "con_bob@example.com",
        currentNodeId: "it",
        status: "FAILED",
        nextRunAt: 7,
        enrolledAt: 3,
        completedAt: 8,
        errorMessage: "no",
      });
      expect(await automations.find("ws_one", id)).toMatchObject({ activeEnrollments: 1 });
    });

    test("figures are the sums of each node; troubles are put together by step and reason", async () => {
      const { id } = await insert();
      const automation = await numberOf(id);
      await opened.run(
        `INSERT INTO automation_nodes (automation, node, entered, completed, failed, removed)
         VALUES (${automation}, 'it', 9, 3, 2, 1), (${automation}, 'gone', 1, 1, 0, 0)`,
      );
      const none = { sent: 0, opened: 0, clicked: 0 };
      expect(await automations.nodeFigures("ws_one", id)).toEqual(
        new Map([
          ["it", { ...none, entered: 9, completed: 3, failed: 2, waiting: 3 }],
          ["gone", { ...none, entered: 1, completed: 1, failed: 0, waiting: 0 }],
        ]),
      );
      for (const [n, problem] of ["'late'", "'late'", "'full'", "NULL"].entries()) {
        await arrive(`con_trouble_${n}`);
        await enroll(automation, `enr_t${n}`, { contact: await contactOf(`con_trouble_${n}`), problem });
      }
      await opened.run(
        `INSERT INTO automation_starts (automation, contact, kind, detail, depth, created_at, next_try_at, problem)
         VALUES (${automation}, ${await contactOf("con_trouble_0")}, 'new_subscriber', '', 0, 1, 1, 'odd')`,
      );
      expect(await automations.troubles("ws_one", id)).toEqual([
        { at: "start", nodeId: null, count: 1, problem: "odd" },
        { at: "step", nodeId: "it", count: 1, problem: "full" },
        { at: "step", nodeId: "it", count: 2, problem: "late" },
      ]);
    });

    test("known lists are those of the workspace", async () => {
      await opened.stores.lists.insert("ws_one", newList("list_1", { name: "One" }));
      await opened.stores.lists.insert("ws_two", newList("list_2", { name: "Two" }));
      const known = await automations.knownLists("ws_one", ["list_1", "list_2", "list_3"]);
      expect(known).toEqual(new Set(["list_1"]));
      expect(await automations.knownLists("ws_one", [])).toEqual(new Set());
    });
  });
}
