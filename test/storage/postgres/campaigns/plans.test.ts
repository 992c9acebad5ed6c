import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DEFAULT_OPTIONS } from "#campaigns/options/options.ts";
import type { Completion, Plan, PlanStore } from "#campaigns/send/plan.ts";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { accept } from "#core/errors/errors.ts";
import { Fenced } from "#core/errors/fenced.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { campaignStore } from "#storage/postgres/campaigns/campaign-store.ts";
import { contactRemoval } from "#storage/postgres/contacts/contact-removal.ts";
import { planStore } from "#storage/postgres/campaigns/plan/plan-store.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { longTurns } from "#storage/postgres/engine/long-turns.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { workspaceStore } from "#storage/postgres/workspaces/workspace-store.ts";
import { revisionsOf } from "#storage/postgres/engine/revisions.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

/** It stands still: no lease ends, however slow the machine is. */
const STILL: Clock = { ...systemClock, monotonicMs: () => 0 };
const NOW = 1_800_000_000_000;
const OPTIONS = { excludeEmails: [], scheduledAt: null, overrideQuietHours: true };
const PEOPLE = 2_500;
const COMPLETION: Completion = {
  day: "2026-11-23",
  month: "2026-11",
  now: NOW,
  isChecked: () => true,
  check: () => null,
  freeze: () => ({ subject: "", html: "" }) as any,
};

let made: TestDatabase;
let database: PostgresDatabase;
let count = 0;

type Node = { readonly plans: PlanStore; leave(): Promise<void> };

/** A process that has joined, which plans a thousand contacts at a time. */
async function node(of: PostgresDatabase = database): Promise<Node> {
  const own = ownNode(STILL, { name: `n${++count}`, version: "0" });
  const nodes = registry(database, own, STILL);
  await nodes.join(NOW, false);
  return { plans: planStore(of, own, longTurns(), 1_000), leave: () => nodes.leave(NOW) };
}

async function campaign(): Promise<string> {
  const id = `cam_${++count}`;
  const row = { id, name: id, subject: "S", body: "<p>", listId: "list_all", createdAt: 1 };
  await campaignStore(database).insert("ws_one", row);
  return id;
}

const begin = async ({ plans }: Node, id: string): Promise<Plan> =>
  (await plans.begin("ws_one", id, OPTIONS, NOW)) as Plan;

async function walk({ plans }: Node, plan: Plan): Promise<void> {
  while ((await plans.planNext(plan, 1)) !== "end");
}

const WAITING = `SELECT count(*) AS n FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const numberOf = async (statement: string): Promise<number> =>
  Number((await database.read(({ row }) => row<{ n: unknown }>(statement)))?.n);

describe.skipIf(await lacksPostgres())("plans of several nodes", () => {
  beforeAll(async () => {
    made = await migratedDatabase();
    database = await openPostgres(made.url, { clock: STILL, random: seededRandom(1) });
    const key = {
      id: "key_1",
      name: "k",
      prefix: "p",
      scope: "full",
      hash: Buffer.from("h"),
      createdAt: 1,
    } as const;
    await workspaceStore(database, revisionsOf(STILL)).create({ id: "ws_one", createdAt: 1 }, {}, key);
    await database.write(async (tx) => {
      await tx.run(
        "INSERT INTO lists (id, workspace, name, search, created_at) VALUES ('list_all', 1, '', '', 1)",
      );
      await tx.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
         SELECT 'con_' || n, 1, md5(n::text) || '@example.com', '', '', 'SUBSCRIBED', '', 1 FROM generate_series(1, ${PEOPLE}) AS n`,
      );
      await tx.run(
        "INSERT INTO list_members (list, contact, status, added_at) SELECT 1, seq, status, 1 FROM contacts",
      );
    });
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  test("the addresses that one leaves out are written some at a time, in the transaction that begins it", async () => {
    const written: number[] = [];
    const watched: PostgresDatabase = {
      ...database,
      write: (work) =>
        database.write((tx) =>
          work({
            ...tx,
            run(text, values = []) {
              if (text.includes("INTO mailing_exclusions"))
                written.push(JSON.parse(String(values[1])).length);
              return tx.run(text, values);
            },
          }),
        ),
    };
    const one = await node(watched);
    const id = await campaign();
    const excludeEmails = Array.from({ length: 10_001 }, (_, n) => `stranger-${n}@example.com`);
    const plan = (await one.plans.begin("ws_one", id, { ...OPTIONS, excludeEmails }, NOW)) as Plan;
    expect(Math.max(...written)).toBeLessThanOrEqual(5_000);
    const kept = `SELECT count(*) AS n FROM mailing_exclusions WHERE mailing = ${plan.number}`;
    expect(await numberOf(kept)).toBe(10_001);
    await one.plans.giveUp(plan);
    while (!(await one.plans.abandon(plan, 1)));
    expect(await numberOf(kept)).toBe(0);
    await one.leave();
  });

  test("of two that begin the same plan one has it, and the other finds it taken", async () => {
    const nodes = [await node(), await node()];
    for (let round = 0; round < 5; round++) {
      const id = await campaign();
      const begun = await Promise.all(nodes.map(({ plans }) => plans.begin("ws_one", id, OPTIONS, NOW)));
      expect(begun.filter((one) => one === "taken").length).toBe(1);
      const other = nodes[begun.indexOf("taken")]!;
      const plan = begun.find((one): one is Plan => one !== "taken" && one !== null)!;
      expect(await other.plans.leftover("ws_one", id)).toBeNull();
      expect((await other.plans.unfinished()).map(({ number }) => number)).not.toContain(plan.number);
      await other.plans.giveUp(plan);
      expect([await other.plans.abandon(plan, 1), await other.plans.planNext(plan, 1)]).toEqual([
        true,
        "end",
      ]);
      expect(await other.plans.complete(plan, COMPLETION)).toBe("changed");
      expect(await nodes[1 - begun.indexOf("taken")]!.plans.complete(plan, COMPLETION)).toBe("complete");
    }
    for (const one of nodes) await one.leave();
  });

  test("what a node that is gone has planned goes on elsewhere, on one of the others, and everybody has one row", async () => {
    const first = await node();
    const plan = await begin(first, await campaign());
    expect(await first.plans.planNext(plan, 1)).toBe("write");
    const others = [await node(), await node()];
    expect(await others[0]!.plans.unfinished()).toEqual([]);
    await first.leave();
    const found = await Promise.all(others.map(({ plans }) => plans.unfinished()));
    expect(found.flat()).toEqual([
      { ...plan, scheduledAt: null, state: { kind: "begun", overrideQuietHours: true } },
    ]);
    const next = others[found.findIndex((some) => some.length > 0)]!;
    // What the first one wanted to do it does no more.
    expect(await first.plans.planNext(plan, 1)).toBe("end");
    expect(await first.plans.complete(plan, COMPLETION)).toBe("changed");
    const givenUp = await first.plans.giveUp(plan).catch((error: unknown) => error);
    expect(givenUp).toBeInstanceOf(Fenced);
    await walk(next, plan);
    expect(await next.plans.complete(plan, COMPLETION)).toBe("complete");
    const rows = `FROM deliveries WHERE mailing = ${plan.number}`;
    expect(await numberOf(`SELECT count(DISTINCT contact) AS n ${rows}`)).toBe(PEOPLE);
    expect(await numberOf(`SELECT count(*) AS n ${rows}`)).toBe(PEOPLE);
    // A stretch of a thousand is a slice, and each row lies in one.
    expect(await numberOf(`SELECT count(*) AS n FROM slices WHERE mailing = ${plan.number}`)).toBe(3);
    const covered = `SELECT count(*) AS n FROM deliveries AS d JOIN slices AS s ON s.mailing = d.mailing
      AND d.seq BETWEEN s.lo AND s.hi WHERE d.mailing = ${plan.number}`;
    expect(await numberOf(covered)).toBe(PEOPLE);
    for (const one of others) await one.leave();
  });

  test("a letter that is edited while it is frozen is the new one, in its subject, its body and its options", async () => {
    const one = await node();
    const id = await campaign();
    const plan = await begin(one, id);
    await walk(one, plan);
    const frozen: unknown[] = [];
    const freeze = (letter: unknown): any => frozen.push(letter);
    const editor = new SQL({ url: made.url, max: 1 });
    let completed: Promise<unknown> | undefined;
    await editor.begin(async (tx) => {
      await tx.unsafe("UPDATE campaigns SET subject = 'New' WHERE id = $1", [id]);
      completed = one.plans.complete(plan, { ...COMPLETION, freeze });
      await eventually(async () => (await numberOf(WAITING)) > 0);
      const seq = `(SELECT seq FROM campaigns WHERE id = '${id}')`;
      await tx.unsafe(`UPDATE campaign_bodies SET html = '<p>New', text = 'New' WHERE campaign = ${seq}`);
      await tx.unsafe(`INSERT INTO campaign_options VALUES (${seq}, '{"preheader":"New"}')`);
    });
    await editor.close();
    expect(await completed).toBe("complete");
    expect(frozen).toMatchObject([
      { subject: "New", html: "<p>New", options: { text: "New", preheader: "New" } },
    ]);
    await one.leave();
  });

  test("a plan goes on where it stood after the database did not answer", async () => {
    let isGone = false;
    const write: PostgresDatabase["write"] = async (work) => {
      if (isGone) throw new StorageError("unreachable", new Error("gone"));
      return await database.write(work);
    };
    const one = await node({ ...database, write });
    const plan = await begin(one, await campaign());
    expect(await one.plans.planNext(plan, 1)).toBe("write");
    expect(await one.plans.unfinished()).toEqual([]);
    isGone = true;
    const failed = await one.plans.planNext(plan, 1).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StorageError);
    isGone = false;
    expect(await one.plans.unfinished()).toEqual([
      { ...plan, scheduledAt: null, state: { kind: "begun", overrideQuietHours: true } },
    ]);
    await walk(one, plan);
    expect(await one.plans.complete(plan, COMPLETION)).toBe("complete");
    await one.leave();
  });

  const DANGLING = `SELECT count(*) AS n FROM deliveries AS d
    WHERE contact IS NOT NULL AND NOT EXISTS (SELECT FROM contacts WHERE seq = d.contact)`;

  test("a contact that is deleted while it is planned leaves no message that refers to it", async () => {
    const one = await node();
    const plan = await begin(one, await campaign());
    const beside = new SQL({ url: made.url, max: 1 });
    let planned: Promise<unknown> | undefined;
    let removed: Promise<boolean> | undefined;
    let isGone = false;
    await beside.begin(async (tx) => {
      // The stretch has written its messages, and is not committed yet.
      await tx.unsafe("LOCK TABLE tallies IN SHARE MODE");
      planned = one.plans.planNext(plan, 1);
      await eventually(async () => (await numberOf(WAITING)) >= 1);
      removed = contactRemoval(database)("ws_one", "con_3", () => null, NOW);
      void removed.then(() => (isGone = true));
      await eventually(async () => isGone || (await numberOf(WAITING)) >= 2);
      // Nobody else waits for the stretch.
      expect(await contactRemoval(database)("ws_one", `con_${PEOPLE}`, () => null, NOW)).toBe(true);
    });
    expect([await planned, await removed]).toEqual(["write", true]);
    expect(await numberOf(DANGLING)).toBe(0);

    await beside.begin(async (tx) => {
      await tx.unsafe("DELETE FROM contacts WHERE id = 'con_1004'");
      let isPlanned = false;
      planned = one.plans.planNext(plan, 1);
      void planned.then(() => (isPlanned = true));
      await eventually(async () => isPlanned || (await numberOf(WAITING)) >= 1);
    });
    expect(await planned).toBe("write");
    expect(await numberOf(DANGLING)).toBe(0);
    await beside.close();
    await walk(one, plan);
    expect(await one.plans.complete(plan, COMPLETION)).toBe("complete");
    const rows = `SELECT count(contact) AS n FROM deliveries WHERE mailing = ${plan.number}`;
    expect(await numberOf(rows)).toBe(await numberOf("SELECT count(*) AS n FROM contacts"));
    await one.leave();
  });

  test("a scheduled campaign that one node plans is due on no other", async () => {
    const [first, other] = [await node(), await node()];
    const id = await campaign();
    await database.write((tx) =>
      tx.run("UPDATE campaigns SET status = 'SCHEDULED', scheduled_at = $2, next_try_at = $2 WHERE id = $1", [
        id,
        NOW,
      ]),
    );
    const isDue = async ({ plans }: Node) =>
      (await plans.due(NOW, 100)).some(({ campaignId }) => campaignId === id);
    expect([await isDue(first), await isDue(other), await other.plans.nextDueAt()]).toEqual([
      true,
      true,
      NOW,
    ]);
    await begin(first, id);
    expect([await isDue(first), await isDue(other), await other.plans.nextDueAt()]).toEqual([
      true,
      false,
      null,
    ]);
    expect(await other.plans.leftover("ws_one", id)).toBeNull();
    await first.leave();
    expect(await isDue(other)).toBe(true);
    expect(await other.plans.leftover("ws_one", id)).toMatchObject({ isGivenUp: false });
    for (const left of await other.plans.unfinished()) {
      await other.plans.giveUp(left);
      while (!(await other.plans.abandon(left, 1)));
    }
    await other.leave();
  });

  test("a plan that was given up is cleared by whoever finds it, and never goes on", async () => {
    const first = await node();
    const id = await campaign();
    const plan = await begin(first, id);
    await walk(first, plan);
    await first.plans.giveUp(plan);
    await first.leave();
    const next = await node();
    expect(await next.plans.begin("ws_one", id, OPTIONS, NOW)).toBe("taken");
    expect(await next.plans.unfinished()).toEqual([
      { ...plan, scheduledAt: null, state: { kind: "givenUp" } },
    ]);
    expect(await next.plans.leftover("ws_one", id)).toEqual({ ...plan, isGivenUp: true });
    expect(await next.plans.complete(plan, COMPLETION)).toBe("changed");
    while (!(await next.plans.abandon(plan, 1)));
    expect(await next.plans.unfinished()).toEqual([]);
    expect(await begin(next, id)).not.toBeNull();
    await next.leave();
  });

  test("an audience is settled within the limits of a question, so that it does not keep its turn forever", async () => {
    const limits: unknown[] = [];
    const looking: PostgresDatabase = {
      ...database,
      write: (work) =>
        database.write(async (tx) => {
          const value = await work(tx);
          limits.push((await tx.row<{ t: string }>("SELECT current_setting('statement_timeout') AS t"))?.t);
          return value;
        }),
    };
    const one = await node(looking);
    const id = await campaign();
    const options = { ...DEFAULT_OPTIONS, excludeListIds: ["list_all"] };
    const named = { lists: ["list_all"], segments: [] };
    await campaignStore(database).changeOptions("ws_one", id, named, () => accept({ options }));
    const plan = await begin(one, id);
    await one.plans.settle(plan, NOW);
    expect(limits).toEqual(["0", "10s"]);
    await walk(one, plan);
    expect(limits.at(-1)).toBe("0");
    await one.plans.complete(plan, COMPLETION);
    await one.leave();
  });

  test("however many plans are made at once, connections are left for everybody else", async () => {
    let [underWay, most] = [0, 0];
    const counting: PostgresDatabase = {
      ...database,
      async write(work) {
        most = Math.max(most, ++underWay);
        return await database.write(work).finally(() => underWay--);
      },
    };
    const one = await node(counting);
    const plans: Plan[] = [];
    for (let n = 0; n < 8; n++) plans.push(await begin(one, await campaign()));
    await Promise.all(plans.map((plan) => one.plans.settle(plan, NOW)));
    expect(most).toBe(2);
    await Promise.all(plans.map((plan) => walk(one, plan)));
    expect(most).toBe(2);
    for (const plan of plans) expect(await one.plans.complete(plan, COMPLETION)).toBe("complete");
    await one.leave();
  });
});
