import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { flowNeeds } from "#automations/run/flow-needs.ts";
import { accept } from "#core/errors/errors.ts";
import { fieldsOnly, planEventContact } from "#contacts/contact-plan.ts";
import { newList } from "../../../support/people/lists.ts";
import { chain, type WireFlow } from "../../../support/automations/automations.ts";
import { engineOf, runGround, SENDER } from "../../../support/automations/engine-runs.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ADA, edges, HELLO, NEW_SUBSCRIBER, node } from "../../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../../support/common/manual-clock.ts";
import { HOUR } from "../../../support/common/durations.ts";

const asking = (...all: readonly object[]): WireFlow => askingAt("order_placed", ...all);
/** A condition that adds the tag `yes` or `no`. */
const askingAt = (eventName: string, ...all: readonly object[]): WireFlow => ({
  nodes: [
    node("in", "trigger", { trigger: "custom_event", eventName }),
    node("ask", "condition", { all } as never),
    node("yes", "action", { action: "add_tag", tag: "yes" }),
    node("no", "action", { action: "add_tag", tag: "no" }),
  ],
  edges: edges("in>ask", "ask>yes true", "ask>no false"),
});

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`the engine of automations on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let clock: ManualClock;
    let stores: OpenedEngine["stores"];
    let ground: ReturnType<typeof runGround>;

    beforeAll(async () => {
      clock = manualClock();
      opened = await openWithWorkspaces(engine, clock);
      ({ stores } = opened);
      ground = runGround(opened);
    });
    afterAll(() => opened.close());

    let events = 0;
    const order = (contactId: string, plan: string, valueCents: number, name = "order_placed") => {
      const subject = { kind: "id", contactId } as const;
      const event = { id: `ev_${++events}`, name, externalId: null, properties: { plan } };
      return stores.events.record(
        "ws_one",
        { ...event, subject, valueCents, currency: "EUR", createdAt: clock.now() },
        (email) => ({ id: `con_${email}`, write: planEventContact(email, clock.now()) }),
      );
    };
    const heldOf = (automation: number) =>
      opened.values(
        `SELECT m.held FROM mailings m JOIN automation_mailings a ON a.mailing = m.seq WHERE a.automation = ${automation}`,
      );

    test("a paused automation moves nobody and holds its mail; LIVE again, both go on", async () => {
      const { id, number } = await ground.live(
        chain(
          NEW_SUBSCRIBER,
          ["mail", "action", HELLO],
          ["wait", "wait", { amount: 1, unit: "hours" }],
          ["out", "end"],
        ),
      );
      await ground.start(number, await ground.people("pause", 3));
      const { run } = engineOf(opened, clock);
      await run();
      clock.advance(HOUR);
      const due = await stores.runs.due(clock.now());
      expect(due).toMatchObject([{ number, id, workspaceId: "ws_one", flowVersion: 1, hasStarts: false }]);
      await ground.change(id, { status: "PAUSED" });
      expect(await heldOf(number)).toEqual([2]);
      expect(await stores.runs.due(clock.now())).toEqual([]);
      const slice = { now: clock.now(), rowsMax: 9, callsMax: 9, begin: () => () => false };
      expect(await stores.runs.advance(due[0]!, slice, null as never)).toMatchObject({
        stale: true,
        done: 0,
      });
      expect(await stores.runs.admit(due[0]!, slice, null as never)).toMatchObject({ stale: true, done: 0 });
      await ground.change(id, { status: "LIVE" });
      expect(await heldOf(number)).toEqual([0]);
      await opened.run(
        `UPDATE mailings SET held = 1 WHERE seq IN (SELECT mailing FROM automation_mailings WHERE automation = ${number})`,
      );
      expect(await stores.automations.release("ws_one", id)).toBe("released");
      expect(await heldOf(number)).toEqual([0]);
      await run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 3 });
    });

    test("what a condition asks of a person, of their events and of the one that started the run", async () => {
      await ground.people("who", 3);
      await stores.lists.insert("ws_one", newList("list_a", { name: "A" }));
      await stores.lists.addContacts("ws_one", "list_a", ["who0", "who1"], () => null, 1);
      const rule = { id: "rule_1", event: "order_placed", minValueCents: 100, points: 3, createdAt: 1 };
      await stores.scoring.add("ws_one", rule, 9);
      const { number } = await ground.live(
        asking(
          { field: "list", op: "equals", value: "list_a" },
          { field: "event", op: "equals", value: "order_placed" },
          { field: "score", op: "greaterThan", value: 2 },
          { field: "trigger.plan", op: "equals", value: "pro" },
        ),
      );
      let heard = 0;
      stores.runs.onStarts(() => heard++);
      await Promise.all([order("who0", "pro", 500), order("who1", "free", 500), order("who2", "pro", 500)]);
      expect(heard).toBeGreaterThan(0);
      const { run, crashes } = engineOf(opened, clock);
      await run();
      expect(crashes).toEqual([]);
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 3 });
      const tagsOf = async (id: string) => (await stores.contacts.find("ws_one", id))!.tags;
      expect(await tagsOf("who0")).toEqual(["yes"]);
      expect(await tagsOf("who1")).toEqual(["no"]);
      expect(await tagsOf("who2")).toEqual(["no"]);
    });

    test("a person with very many events: a run, a simulation and their score know all of them", async () => {
      const EVENTS = 20_000;
      const [busy] = await ground.people("busy", 1);
      await opened.run(
        `INSERT INTO events (id, workspace, name, contact, properties, created_at)
         WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${EVENTS})
         SELECT 'seen_' || n, 1, 'seen_it', ${busy}, '{}', 1 FROM g`,
      );
      const rule = { id: "rule_busy", event: "seen_it", minValueCents: null, points: 2, createdAt: 1 };
      await stores.scoring.add("ws_one", rule, 9);
      const { number } = await ground.live(
        askingAt(
          "came_back",
          { field: "score", op: "equals", value: 2 * EVENTS },
          { field: "event", op: "exists", value: "seen_it" },
          { field: "event", op: "notEquals", value: "never_done" },
        ),
      );
      await order("busy0", "pro", 500, "came_back");
      const { run, crashes } = engineOf(opened, clock);
      await run();
      expect(crashes).toEqual([]);
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 1 });
      expect((await stores.contacts.find("ws_one", "busy0"))!.tags).toEqual(["yes"]);
      expect(await stores.scoring.score("ws_one", "busy0")).toBe(2 * EVENTS);
      await stores.scoring.remove("ws_one", rule.id);
      await stores.scoring.add("ws_one", { ...rule, id: "rule_other", points: 3 }, 9);
      expect(await stores.scoring.score("ws_one", "busy0")).toBe(3 * EVENTS);
      await stores.scoring.remove("ws_one", "rule_other");
      const facts = await stores.runs.walkFacts(
        "ws_one",
        "aut_1",
        "busy0@example.com",
        { ...flowNeeds({ nodes: [], edges: [] }), eventNames: ["seen_it", "never_done"] },
        ADA,
      );
      expect([...facts.facts.lastEventAt.keys()]).toEqual(["seen_it"]);
    });

    test("whether a mail was opened or clicked; and what a letter and a simulation look at", async () => {
      const flow: WireFlow = {
        nodes: [
          node("in", "trigger", { trigger: "custom_event", eventName: "book_read" }),
          node("mail", "action", HELLO),
          node("wait", "wait", { amount: 1, unit: "hours" }),
          node("opened", "condition", { all: [{ field: "opened", op: "equals", value: "mail" }] }),
          node("clicked", "condition", { all: [{ field: "clicked", op: "equals", value: "mail" }] }),
          node("tag", "action", { action: "add_tag", tag: "opened" }),
          node("both", "action", { action: "add_tag", tag: "clicked" }),
        ],
        edges: edges(
          "in>mail",
          "mail>wait",
          "wait>opened",
          "opened>clicked true",
          "clicked>tag false",
          "clicked>both true",
        ),
      };
      await ground.people("read", 3);
      const { id, number } = await ground.live(flow);
      for (const who of ["read0", "read1", "read2"]) await order(who, "pro", 1, "book_read");
      const { run } = engineOf(opened, clock);
      await run();
      const messageOf = (who: string) =>
        ground.numberOf(`SELECT seq FROM deliveries WHERE address = '${who}@example.com'`);
      expect(await stores.runs.liquidSource(await messageOf("read0"))).toMatchObject({
        contact: { id: "read0" },
        event: { name: "book_read", contactId: "read0", properties: { plan: "pro" } },
      });
      expect(await stores.runs.liquidSource(999_999)).toBeNull();
      await opened.run(`UPDATE deliveries SET opened_at = 5 WHERE seq = ${await messageOf("read0")}`);
      await opened.run(`UPDATE deliveries SET clicked_at = 5 WHERE seq = ${await messageOf("read1")}`);
      const walk = (email: string) =>
        stores.runs.walkFacts("ws_one", id, email, flowNeeds(flow as never), ADA);
      const known = await walk("read1@example.com");
      expect(known).toMatchObject({
        exists: true,
        facts: { contact: { id: "read1" }, suppression: null, event: null },
      });
      expect(known.facts.openedNodeIds).toEqual(new Set(["mail"]));
      expect(known.facts.clickedNodeIds).toEqual(new Set(["mail"]));
      expect(await walk("nobody@example.com")).toMatchObject({
        exists: false,
        facts: { contact: ADA, score: 0 },
      });
      clock.advance(HOUR);
      await run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 3 });
      expect(await stores.contacts.find("ws_one", "read0")).toMatchObject({ tags: ["opened"] });
      expect(await stores.contacts.find("ws_one", "read1")).toMatchObject({ tags: ["clicked"] });
      expect(await stores.contacts.find("ws_one", "read2")).toMatchObject({ tags: [] });
    });

    test("a run asks whether its own last mail was opened; what it has not sent itself, of all runs", async () => {
      const asks = (id: string, field: string, mail: string) =>
        node(id, "condition", { all: [{ field, op: "exists", value: mail }] });
      const tag = (id: string) => node(id, "action", { action: "add_tag", tag: id });
      // Round and round; "earlier" was sent by another run only, before the flow was changed.
      const flow: WireFlow = {
        nodes: [
          node("in", "trigger", { trigger: "custom_event", eventName: "round" }),
          node("mail", "action", HELLO),
          node("wait", "wait", { amount: 1, unit: "hours" }),
          asks("opened", "opened", "mail"),
          asks("clicked", "clicked", "mail"),
          asks("before", "opened", "earlier"),
          ...["saw", "pressed", "old"].map(tag),
          ...["no_saw", "no_pressed", "no_old"].map(tag),
          node("earlier", "action", { ...HELLO, subject: "Earlier" }),
        ],
        edges: edges(
          "in>mail",
          "mail>wait",
          "wait>opened",
          "opened>saw true",
          "opened>no_saw false",
          "saw>clicked",
          "no_saw>clicked",
          "clicked>pressed true",
          "clicked>no_pressed false",
          "pressed>before",
          "no_pressed>before",
          "before>old true",
          "before>no_old false",
          "old>mail",
          "no_old>mail",
        ),
      };
      await ground.people("round", 1);
      const { id, number } = await ground.live(flow);
      const contact = await ground.numberOf("SELECT seq FROM contacts WHERE id = 'round0'");
      const counted = new Map<string, number>();
      /** The tag nodes that a run has come to since this was asked last. */
      const passed = async (): Promise<string[]> => {
        const figures = (await stores.automations.nodeFigures("ws_one", id))!;
        const isNew = (of: string): boolean => {
          const before = counted.get(of) ?? 0;
          counted.set(of, figures.get(of)?.entered ?? 0);
          return counted.get(of)! > before;
        };
        return ["saw", "no_saw", "pressed", "no_pressed", "old", "no_old"].filter(isNew);
      };
      const last = () => ground.numberOf(`SELECT max(seq) FROM deliveries WHERE contact = ${contact}`);
      const { run } = engineOf(opened, clock);
      const pass = async () => {
        clock.advance(HOUR);
        await run();
      };
      await order("round0", "pro", 1, "round");
      await run();
      await opened.run(`UPDATE deliveries SET opened_at = 5, clicked_at = 5 WHERE seq = ${await last()}`);
      await pass();
      expect(await passed()).toEqual(["saw", "pressed", "no_old"]);
      // The second round's mail is not opened.
      await pass();
      expect(await passed()).toEqual(["no_saw", "no_pressed", "no_old"]);
      // Another run, whose mail is not opened; a third one sent "earlier".
      await opened.run(`UPDATE enrollments SET status = 'COMPLETED' WHERE automation = ${number}`);
      await opened.run(
        `INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at)
         VALUES (1, 'automation', 'earlier', 'sending', '2026-01', 1)`,
      );
      await opened.run(
        `INSERT INTO automation_mailings SELECT seq, ${number}, 'earlier' FROM mailings WHERE source_id = 'earlier'`,
      );
      await opened.run(
        `INSERT INTO deliveries (mailing, contact, address, state, opened_at)
         SELECT seq, ${contact}, 'round0@example.com', 'sent', 5 FROM mailings WHERE source_id = 'earlier'`,
      );
      await order("round0", "pro", 1, "round");
      await run();
      await pass();
      expect(await passed()).toEqual(["no_saw", "no_pressed", "old"]);
    });

    test("time in which a step was not tried does not end it: a server that was off, a clock that was ahead", async () => {
      const { number } = await ground.live(chain(NEW_SUBSCRIBER, ["mail", "action", HELLO], ["out", "end"]));
      await ground.start(number, await ground.people("tried", 1));
      const { run } = engineOf(opened, clock, { ...SENDER, mailingAddress: "" });
      const tryAfter = async (ms: number) => {
        clock.advance(ms);
        await run();
        return ground.statuses(number);
      };
      await run();
      expect(await tryAfter(30 * HOUR)).toEqual({ ACTIVE: 1 });
      expect(await tryAfter(0.1 * HOUR)).toEqual({ ACTIVE: 1 });
      expect(await tryAfter(365 * 24 * HOUR)).toEqual({ ACTIVE: 1 });
      clock.advance(-365 * 24 * HOUR);
      await stores.runs.drawIn(clock.now());
      expect(await tryAfter(0)).toEqual({ ACTIVE: 1 });
      for (let hour = 0; hour < 26; hour++) await tryAfter(HOUR);
      expect(await ground.statuses(number)).toEqual({ FAILED: 1 });
    });

    test("a workspace gets no more names of attributes than it may have, whoever brings the last ones", async () => {
      const [holders, people] = [await ground.people("holds", 5), await ground.people("name", 2)];
      const namesOf = (n: number) =>
        Object.fromEntries(Array.from({ length: n === 4 ? 99 : 100 }, (_, i) => [`n${n}_${i}`, 1]));
      for (const n of holders.keys())
        await stores.contacts.change("ws_one", `holds${n}`, { setsAttributes: true }, ({ contact }) =>
          accept(fieldsOnly({ ...contact, attributes: namesOf(n) }, 1)),
        );
      const made = [];
      for (const [n, person] of people.entries()) {
        const set = { action: "set_field", field: `attributes.last${n}`, value: "x" };
        const { number } = await ground.live(chain(NEW_SUBSCRIBER, ["set", "action", set]));
        await ground.start(number, [person]);
        made.push(number);
      }
      await Promise.all(made.map(() => engineOf(opened, clock).run()));
      const ended = [];
      for (const number of made) ended.push(...Object.keys(await ground.statuses(number)));
      expect(ended.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(["COMPLETED", "FAILED"]);
      expect(await stores.attributes.list("ws_one")).toHaveLength(500);
    });

    test("a run waits for room in the monthly limit for as long as it takes, and has all its tries after that", async () => {
      const { number } = await ground.live(chain(NEW_SUBSCRIBER, ["mail", "action", HELLO], ["out", "end"]));
      await ground.start(number, await ground.people("full", 1));
      const triesFor = async (hours: number, settings: object) => {
        const { run } = engineOf(opened, clock, { ...SENDER, ...settings });
        for (let hour = 0; hour < hours; hour++) {
          await run();
          clock.advance(HOUR);
        }
        return ground.statuses(number);
      };
      expect(await triesFor(20, { mailingAddress: "" })).toEqual({ ACTIVE: 1 });
      expect(await triesFor(50, { monthlyLimit: 0 })).toEqual({ ACTIVE: 1 });
      expect(await triesFor(20, { mailingAddress: "" })).toEqual({ ACTIVE: 1 });
      expect(await triesFor(10, { mailingAddress: "" })).toEqual({ FAILED: 1 });
    });
  });
}
