/**
 * One trigger that very many automations wait for: its starts are made in short pieces, and none is lost or
 * doubled.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BY_COMPLAINT } from "#contacts/consent/consent-entry.ts";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import { planEventContact } from "#contacts/contact-plan.ts";
import { accept } from "#core/errors/errors.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import { STARTS_AT_ONCE } from "#storage/common/automations/start-limits.ts";
import { chain } from "../../../support/automations/automations.ts";
import { engineOf, runGround } from "../../../support/automations/engine-runs.ts";
import { HELLO } from "../../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../../support/common/manual-clock.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

/** More than may start with the change itself. */
const MANY = STARTS_AT_ONCE + 100;
const PIECE = 70;

type Step = Parameters<typeof chain>[1];

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`a trigger of very many automations on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let clock: ManualClock;
    let ground: ReturnType<typeof runGround>;
    let made = 0;
    const clear = async () => {
      for (const table of ["automation_starts", "automation_listeners"])
        await opened.run(`DELETE FROM ${table}`);
    };

    beforeAll(async () => {
      clock = manualClock();
      opened = await openWithWorkspaces(engine, clock);
      ground = runGround(opened);
    });
    afterAll(() => opened.close());

    const END: Step = ["out", "end"];
    const flowOf = (trigger: JsonObject, step = END) => chain({ ...trigger, reenroll: "each_time" }, step);
    const onEvent = (eventName: string) => flowOf({ trigger: "custom_event", eventName });
    /**
     * LIVE automations with this trigger: the first is made by the store, the others are copies of its rows.
     */
    const lives = async (trigger: JsonObject, n: number, step = END) => {
      const { id, number } = await ground.live(flowOf(trigger, step));
      const others = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n - 1})`;
      await opened.run(
        `${others} INSERT INTO automations (id, workspace, name, status, created_at, updated_at)
         SELECT '${id}.' || i, 1, name, status, 1, 1 FROM n CROSS JOIN automations WHERE id = '${id}' ORDER BY i`,
      );
      const copies = `FROM automations AS a CROSS JOIN automation_flows AS f WHERE a.id LIKE '${id}.%' AND f.automation = ${number}`;
      await opened.run(`INSERT INTO automation_flows (automation, flow) SELECT a.seq, f.flow ${copies}`);
      await opened.run(
        `INSERT INTO automation_listeners (workspace, kind, detail, automation)
         SELECT l.workspace, l.kind, l.detail, a.seq FROM automations AS a CROSS JOIN automation_listeners AS l
         WHERE a.id LIKE '${id}.%' AND l.automation = ${number}`,
      );
      const column = async (name: string) =>
        await opened.values(
          `SELECT ${name} FROM automations WHERE id = '${id}' OR id LIKE '${id}.%' ORDER BY seq`,
        );
      const [ids, numbers] = [await column("id"), await column("seq")];
      return ids.map((one, i) => ({ id: String(one), number: Number(numbers[i]) }));
    };
    const record = (contactId: string, name: string) => {
      const id = `ev_${++made}`;
      const subject = { kind: "id", contactId } as const;
      const event = { subject, name, externalId: null, properties: {}, valueCents: null, currency: null };
      return opened.stores.events.record("ws_one", { ...event, id, createdAt: clock.now() }, (email) => ({
        id: `con_${id}`,
        write: planEventContact(email, clock.now()),
      }));
    };
    const starts = (condition = "true") =>
      ground.numberOf(`SELECT count(*) FROM automation_starts WHERE ${condition}`);
    const waiting = () => ground.numberOf("SELECT count(*) FROM automation_triggers");
    /** One piece of work, as long as it may be. */
    const piece = (rowsMax = PIECE) =>
      opened.stores.runs.spread({ now: clock.now(), rowsMax, begin: () => () => false });
    const enteredBy = async (numbers: readonly number[]) =>
      await ground.numberOf(`SELECT count(*) FROM enrollments WHERE automation IN (${numbers.join(", ")})`);

    test("the events of one call write few rows, and the others come in pieces; each automation starts once", async () => {
      const all = await lives({ trigger: "custom_event", eventName: "sale" }, MANY);
      await ground.people("many", 5);
      const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => record(`many${i}`, "sale")));
      expect(answers.every(({ kind }) => kind === "recorded")).toBe(true);
      expect(await starts()).toBeLessThanOrEqual(STARTS_AT_ONCE);
      expect(await waiting()).toBeLessThanOrEqual(5);
      expect(await opened.stores.runs.nextDueAt()).toBeLessThanOrEqual(clock.now());

      let before = await starts();
      while ((await piece()) > 0) {
        const after = await starts();
        expect(after - before).toBeLessThanOrEqual(PIECE);
        before = after;
      }
      expect(await waiting()).toBe(0);
      expect(await starts()).toBe(5 * MANY);
      const { run, crashes } = engineOf(opened, clock);
      await run();
      expect(crashes).toEqual([]);
      expect(await enteredBy(all.map(({ number }) => number))).toBe(5 * MANY);
      const twice = "SELECT 1 FROM enrollments GROUP BY automation, contact HAVING count(*) > 1";
      expect(await opened.values(twice)).toEqual([]);
      await opened.run("UPDATE automations SET status = 'PAUSED'");
      await clear();
    });

    test("a piece ends with its time: then everybody else has a turn", async () => {
      await lives({ trigger: "custom_event", eventName: "slow" }, MANY);
      await ground.people("slow", 1);
      await record("slow0", "slow");
      await opened.stores.runs.spread({ now: clock.now(), rowsMax: 10_000, begin: () => () => true });
      expect(await starts()).toBeLessThanOrEqual(STARTS_AT_ONCE);
      expect(await waiting()).toBe(1);
      while ((await piece()) > 0);
      expect(await starts()).toBe(MANY);
      await clear();
    });

    test("the same for tags: a contact with many new ones writes few rows at once", async () => {
      const tags = Array.from({ length: 12 }, (_, i) => `tag${i}`);
      for (const tag of tags) await lives({ trigger: "tag_added", tag }, STARTS_AT_ONCE / 10);
      await opened.stores.contacts.upsert(
        "ws_one",
        { email: "tagged@example.com", setsAttributes: false, fresh: { id: "tagged", createdAt: 1 } },
        () =>
          accept({
            ...planEventContact("tagged@example.com", 1),
            triggers: tags.map((tag) => ({ kind: "tag_added" as const, tag })),
          }),
      );
      expect(await starts()).toBe(STARTS_AT_ONCE);
      expect(await waiting()).toBe(2);
      while ((await piece()) > 0);
      expect(await starts()).toBe((tags.length * STARTS_AT_ONCE) / 10);
      await clear();
    });

    test("who is paused between two pieces still starts, who becomes LIVE then does not, and nobody starts twice", async () => {
      const all = await lives({ trigger: "custom_event", eventName: "change" }, MANY);
      const late = await ground.live(onEvent("other"));
      const [first, , last] = [all[0]!, all[1]!, all.at(-1)!];
      const gone = all.at(-2)!;
      const again = all.at(-3)!;
      await ground.people("change", 2);
      await record("change0", "change");
      await piece();
      expect(await starts(`automation = ${first.number}`)).toBe(1);
      expect(await starts(`automation = ${last.number}`)).toBe(0);

      await ground.change(last.id, { status: "PAUSED" });
      await ground.change(first.id, { status: "PAUSED" });
      await ground.change(first.id, { status: "LIVE" });
      await ground.change(late.id, { flow: onEvent("change") as never });
      await opened.stores.automations.delete("ws_one", gone.id, 5);
      // LIVE again: it starts with what came before the pause and after it, and not with what came meanwhile.
      await ground.change(again.id, { status: "PAUSED" });
      await record("change1", "change");
      await ground.change(again.id, { status: "LIVE" });
      while ((await piece()) > 0);

      const of = (number: number) =>
        opened.values(
          `SELECT c.id FROM automation_starts AS s JOIN contacts AS c ON c.seq = s.contact
           WHERE s.automation = ${number} ORDER BY s.seq`,
        );
      expect(await of(first.number)).toEqual(["change0", "change1"]);
      expect(await of(all[1]!.number)).toEqual(["change0", "change1"]);
      expect(await of(last.number)).toEqual(["change0"]);
      expect(await of(again.number)).toEqual(["change0"]);
      expect(await of(late.number)).toEqual(["change1"]);
      expect(await of(gone.number)).toEqual([]);
      expect(await ground.numberOf("SELECT count(*) FROM automation_past_listeners")).toBe(0);
      await clear();
    });

    test("a copy that is held keeps who waited: paused, each still has its start, for when it is LIVE again", async () => {
      const all = await lives({ trigger: "custom_event", eventName: "held" }, MANY);
      await ground.people("held", 1);
      await record("held0", "held");
      await piece();
      await opened.hold(clock.now());
      while ((await piece()) > 0);
      expect(await starts()).toBe(all.length);
      expect(await ground.numberOf("SELECT count(*) FROM automation_past_listeners")).toBe(0);
      await clear();
    });

    test("a contact's triggers keep their order, also where few automations wait for the later one", async () => {
      const [one] = await lives({ trigger: "custom_event", eventName: "order" }, MANY);
      await ground.people("order", 1);
      await record("order0", "order");
      await piece();
      // From now on it is few, so alone it would start at once.
      await opened.run(`DELETE FROM automation_listeners WHERE automation <> ${one!.number}`);
      await record("order0", "order");
      expect(await waiting()).toBe(2);
      while ((await piece()) > 0);
      const events = await opened.values(
        `SELECT CAST(event AS integer) FROM automation_starts WHERE automation = ${one!.number} ORDER BY next_try_at, seq`,
      );
      expect(events).toHaveLength(2);
      expect(events.map(Number)).toEqual(events.map(Number).toSorted((a, b) => a - b));
      await clear();
    });

    test("several servers at once: each automation starts once for each event, in their order", async () => {
      const all = await lives({ trigger: "custom_event", eventName: "crowd" }, MANY);
      await ground.people("crowd", 3);
      for (const _ of [1, 2, 3]) await Promise.all([0, 1, 2].map((i) => record(`crowd${i}`, "crowd")));
      await Promise.all(
        [1, 2, 3].map(async () => {
          while ((await piece()) > 0);
        }),
      );
      expect(await starts()).toBe(9 * MANY);
      const unordered = `SELECT 1 FROM automation_starts AS a JOIN automation_starts AS b
        ON b.automation = a.automation AND b.contact = a.contact AND b.seq > a.seq AND b.event <= a.event`;
      expect(await opened.values(unordered)).toEqual([]);
      expect(all).toHaveLength(MANY);
      await clear();
    });

    test.skipIf(engine.name === "SQLite")(
      "somebody who is being deleted, which may take minutes, keeps no others from starting",
      async () => {
        await lives({ trigger: "custom_event", eventName: "locked" }, MANY);
        const [ada, bob] = await ground.people("locked", 2);
        for (const i of [0, 1]) await record(`locked${i}`, "locked");
        await opened.run("BEGIN");
        await opened.run(`SELECT FROM contacts WHERE seq = ${ada} FOR UPDATE`);
        const all = (async () => {
          while ((await piece()) > 0);
          return "done";
        })();
        const outcome = await Promise.race([all, Bun.sleep(3_000).then(() => "waits")]);
        await opened.run("COMMIT");
        await all;
        expect(outcome).toBe("done");
        expect(await starts(`contact = ${bob}`)).toBe(MANY);
        expect(await waiting()).toBe(1);
        while ((await piece()) > 0);
        expect(await starts(`contact = ${ada}`)).toBe(MANY);
        await clear();
      },
    );

    test.skipIf(engine.name === "SQLite")(
      "whoever is changed while a trigger is being written starts with it, although later ones were first",
      async () => {
        const [changed] = await lives({ trigger: "custom_event", eventName: "early" }, MANY);
        await lives({ trigger: "tag_added", tag: "late" }, MANY);
        const [ada] = await ground.people("race", 2);
        await opened.run("BEGIN");
        // The last thing that an event writes.
        await opened.run("LOCK TABLE activity_counts IN EXCLUSIVE MODE");
        const early = record("race0", "early");
        await Bun.sleep(500);
        await opened.stores.contacts.change("ws_one", "race1", { setsAttributes: false }, () =>
          accept({
            ...planEventContact("race1@example.com", 1),
            triggers: [{ kind: "tag_added" as const, tag: "late" }],
          }),
        );
        const change = ground.change(changed!.id, { name: "changed" });
        await Promise.race([change, Bun.sleep(500)]);
        while ((await piece()) > 0);
        await opened.run("COMMIT");
        await Promise.all([early, change]);
        while ((await piece()) > 0);
        expect(await starts(`contact = ${ada}`)).toBe(MANY);
        await clear();
      },
    );

    test("an opt-out between two pieces holds: whatever still starts sends nothing", async () => {
      const mail = ["mail", "action", HELLO] as const;
      await lives({ trigger: "custom_event", eventName: "out" }, MANY, mail);
      await ground.people("out", 1);
      await record("out0", "out");
      await piece();
      const standing = async () => (await opened.stores.contacts.find("ws_one", "out0"))?.status;
      const optOut = {
        workspaceId: "ws_one",
        address: "out0@example.com",
        contactId: "out0",
        at: clock.now(),
      };
      await opened.stores.contacts.optOut({ ...optOut, origin: BY_COMPLAINT }, decideOnOptOut);
      expect(await standing()).toBe("UNSUBSCRIBED");
      expect(await waiting()).toBe(1);
      const { run, crashes } = engineOf(opened, clock);
      await run();
      expect(crashes).toEqual([]);
      expect(
        await ground.numberOf(
          "SELECT count(*) FROM enrollments WHERE contact = (SELECT seq FROM contacts WHERE id = 'out0')",
        ),
      ).toBe(MANY);
      expect(
        await opened.values("SELECT address FROM deliveries WHERE address = 'out0@example.com'"),
      ).toEqual([]);
      expect(await standing()).toBe("UNSUBSCRIBED");
      await clear();
    });

    test("workspaces take turns, and who is deleted between two pieces starts nothing more", async () => {
      await lives({ trigger: "custom_event", eventName: "turns" }, MANY);
      const [ada, bob, eve] = await ground.people("turns", 3);
      for (const i of [0, 1]) await record(`turns${i}`, "turns");
      // As a change in another workspace has written it.
      await opened.run(
        `INSERT INTO automation_triggers (workspace, contact, kind, detail, depth, created_at)
         VALUES (2, ${eve}, 'custom_event', 'turns', 0, 1)`,
      );
      await piece();
      await piece();
      expect(await waiting()).toBe(2);
      expect(await starts()).toBeGreaterThan(0);
      await opened.stores.contacts.delete("ws_one", "turns0", () => null, 1);
      expect(await starts(`contact = ${ada}`)).toBe(0);
      while ((await piece()) > 0);
      expect([await starts(`contact = ${ada}`), await starts(`contact = ${bob}`)]).toEqual([0, MANY]);
    });
  });
}
