import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Fenced } from "#core/errors/fenced.ts";
import { FRONT, type Outcome } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { outboxStore } from "#storage/postgres/webhooks/outbox-store.ts";
import type { OutboxStore } from "#webhooks/store.ts";
import { nodesDatabase, type NodesDatabase } from "../../../support/storage/nodes-database.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";
import { claimDot } from "../../../support/storage/engine-mailings.ts";

const NOW = 1_800_000_000_000;
const SENT: Outcome = { state: "sent", reply: { code: 250, enhanced: null, text: "" } };
const WANTED = { limit: 4, who: "all", domains: [], except: new Set<number>(), withPeople: false } as const;

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

type Node = {
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly run: number;
  readonly database: PostgresDatabase;
  /** Its monotonic clock. */
  time: number;
};

describe.skipIf(await lacksPostgres())("several nodes of one database", () => {
  let opened: NodesDatabase;
  const make = (prefix: string, people: number) => opened.make(prefix, people);

  const join = async (): Promise<Node> => {
    const open = await opened.open();
    const clock = { monotonicMs: () => node.time };
    const own = ownNode(clock, { name: "test", version: "0" });
    const ledger = ledgerStore(open, own, clock);
    const node: Node = { ledger, outbox: outboxStore(open, own), run: 0, database: open, time: 0 };
    const joined = Object.assign(node, await ledger.join(NOW, false));
    await opened.keepAlive(joined.run);
    return joined;
  };
  /** As if it had not shown for longer than its lease. */
  const loseLease = ({ run }: Node) => opened.run(`UPDATE node_beats SET until = 0 WHERE node = ${run}`);
  const takeAll = async ({ ledger }: Node, mailing: number): Promise<number[]> => {
    const taken: number[] = [];
    let from = FRONT;
    for (;;) {
      const stretch = await ledger.owed(mailing, from, NOW, WANTED);
      taken.push(...stretch.messages.map(({ number }) => number));
      from = stretch.through;
      if (stretch.isEnd) return taken;
    }
  };

  beforeAll(async () => {
    opened = await nodesDatabase();
  });
  afterEach(() => opened.closeNodes());
  afterAll(() => opened.end());

  test("each has a number of its own, and a beat gives one that is newer than all", async () => {
    const [a, b] = [await join(), await join()];
    expect(b.run).toBeGreaterThan(a.run);
    expect(await a.ledger.beat(NOW)).toBeGreaterThan(b.run);
  });

  test("a beat shows that one node lives, and says nothing of another", async () => {
    const [a, b] = [await join(), await join()];
    await loseLease(b);
    await a.ledger.beat(NOW);
    await a.ledger.sweep(NOW);
    expect(await failureOf(b.ledger.beat(NOW))).toBeInstanceOf(Fenced);
    expect(await a.ledger.beat(NOW)).toBeGreaterThan(b.run);
  });

  test("they share a mailing: each message is taken by one, claimed once, and none is lost", async () => {
    const [a, b] = [await join(), await join()];
    const { mailing, messages } = await make("share", 40);
    const [ofA, ofB] = await Promise.all([takeAll(a, mailing), takeAll(b, mailing)]);
    expect([...ofA, ...ofB].toSorted((x, y) => x - y)).toEqual([...messages]);
    const claims = await Promise.all(
      messages.flatMap((message) =>
        [a, b].map(
          async ({ ledger, run }) => [ledger, await claimDot(ledger, message, run, NOW), message] as const,
        ),
      ),
    );
    const dots = claims.filter(([, claim]) => claim === "dot");
    expect(dots.map(([, , message]) => message).toSorted((x, y) => x - y)).toEqual([...messages]);
    await Promise.all(dots.map(([ledger, , message]) => ledger.settle(message, SENT, NOW, null, "bulk")));
    expect(await a.ledger.progress(mailing)).toMatchObject({
      phase: "finished",
      sent: 40,
      remaining: 0,
      accepted: 40,
    });
    expect(await opened.values(`SELECT status FROM campaigns WHERE mailing = ${mailing}`)).toEqual(["SENT"]);
  });

  test("what a node left at its dot is uncertain, the rest goes on, and the node itself writes no more", async () => {
    const [lost, other] = [await join(), await join()];
    const { mailing, messages } = await make("lost", 6);
    expect(await takeAll(lost, mailing)).toEqual([...messages]);
    const [first, second] = messages as [number, number];
    expect(await claimDot(lost.ledger, first, lost.run, NOW)).toBe("dot");
    expect(await takeAll(other, mailing)).toEqual([]);
    await loseLease(lost);
    expect(await other.ledger.sweep(NOW)).toBe(1);
    expect(await other.ledger.sweep(NOW)).toBe(0);
    expect(await opened.values(`SELECT state FROM deliveries WHERE seq = ${first}`)).toEqual(["uncertain"]);
    expect(await failureOf(claimDot(lost.ledger, second, lost.run, NOW))).toBeInstanceOf(Fenced);
    expect(await failureOf(lost.ledger.settle(first, SENT, NOW, null, "bulk"))).toBeInstanceOf(Fenced);
    expect(await failureOf(lost.ledger.beat(NOW))).toBeInstanceOf(Fenced);
    expect(await takeAll(other, mailing)).toEqual(messages.slice(1));
    for (const message of messages.slice(1)) {
      expect(await claimDot(other.ledger, message, other.run, NOW)).toBe("dot");
      await other.ledger.settle(message, SENT, NOW, null, "bulk");
    }
    expect(await other.ledger.progress(mailing)).toMatchObject({ phase: "finished", sent: 5, uncertain: 1 });
  });

  test("a dot that was committed after the end of the lease is not sent, and is owed again", async () => {
    const node = await join();
    const { messages } = await make("late", 1);
    const message = messages[0]!;
    node.time += 14_000;
    expect(await failureOf(claimDot(node.ledger, message, node.run, NOW))).toBeInstanceOf(Fenced);
    await node.ledger.beat(NOW);
    expect(await claimDot(node.ledger, message, node.run, NOW)).toBe("dot");
    expect(await claimDot(node.ledger, message, node.run, NOW)).toBe("gone");
    await node.ledger.settle(message, SENT, NOW, null, "bulk");
  });

  test("a dot whose commit became known too late is owed again, and found", async () => {
    const node = await join();
    const { mailing, messages } = await make("unsent", 3);
    expect(await takeAll(node, mailing)).toEqual([...messages]);
    const claim = (message: number) => claimDot(node.ledger, message, node.run, NOW);
    const states = () =>
      opened.values(`SELECT state FROM deliveries WHERE mailing = ${mailing} ORDER BY seq`);
    node.time += 14_000;
    for (const message of messages) expect(await failureOf(claim(message))).toBeInstanceOf(Fenced);
    await node.ledger.beat(NOW);
    expect(await states()).toEqual(["dot", "dot", "dot"]);
    // As the sender does: it looks at a message that it tries again, and for work.
    expect(await node.ledger.skipIfBarred(messages[0]!, NOW)).toBe("gone");
    expect((await node.ledger.sendable()).map(({ number }) => number)).toContain(mailing);
    expect(await states()).toEqual(["queued", "queued", "queued"]);
    const again = await node.ledger.owed(mailing, { ...FRONT, fresh: messages.at(-1)! }, NOW, WANTED);
    expect(again.messages.map(({ number }) => number)).toEqual([...messages]);
    for (const message of messages) {
      expect(await claim(message)).toBe("dot");
      await node.ledger.settle(message, SENT, NOW, null, "bulk");
    }
    expect(await node.ledger.progress(mailing)).toMatchObject({ phase: "finished", sent: 3 });
  });

  test.each([
    ["campaign", "skipped"],
    ["transactional", "failed"],
  ])(
    "a dot that became known too late ends when it is claimed again, if its %s was stopped",
    async (kind, end) => {
      const node = await join();
      const { mailing, messages } = await make(`ended-${kind}`, 1);
      const claim = () => claimDot(node.ledger, messages[0]!, node.run, NOW);
      node.time += 14_000;
      expect(await failureOf(claim())).toBeInstanceOf(Fenced);
      await node.ledger.beat(NOW);
      await opened.run(`UPDATE mailings SET kind = '${kind}', phase = 'stopped' WHERE seq = ${mailing}`);
      expect(await claim()).toBe("gone");
      expect(await opened.values(`SELECT state FROM deliveries WHERE mailing = ${mailing}`)).toEqual([end]);
      expect(await node.ledger.progress(mailing)).toMatchObject({ phase: "finished", remaining: 0 });
    },
  );

  test.each([
    ["campaign", "stopped", "skipped"],
    ["transactional", "sending", "failed"],
  ])(
    "a dot that became known too late ends at the next look, if its %s is %s: it is %s",
    async (kind, phase, end) => {
      const node = await join();
      const { mailing, messages } = await make(`looked-${kind}`, 1);
      node.time += 14_000;
      expect(await failureOf(claimDot(node.ledger, messages[0]!, node.run, NOW))).toBeInstanceOf(Fenced);
      await node.ledger.beat(NOW);
      await opened.run(`UPDATE mailings SET kind = '${kind}', phase = '${phase}' WHERE seq = ${mailing}`);
      await node.ledger.sendable();
      expect(await opened.values(`SELECT state FROM deliveries WHERE mailing = ${mailing}`)).toEqual([end]);
      expect(await node.ledger.progress(mailing)).toMatchObject({ phase: "finished", remaining: 0 });
    },
  );

  test("a dot that is claimed again is not taken back", async () => {
    const node = await join();
    const { mailing, messages } = await make("again", 20);
    const claim = (message: number) => claimDot(node.ledger, message, node.run, NOW);
    for (let round = 0; round < 5; round++) {
      node.time += 14_000;
      for (const one of await Promise.all(messages.map((message) => failureOf(claim(message)))))
        expect(one).toBeInstanceOf(Fenced);
      await node.ledger.beat(NOW);
      const looks = [node.ledger.sendable(), node.ledger.sendable()];
      const claims = messages.map(claim);
      await Promise.all([...looks, node.ledger.sendable()]);
      expect(await Promise.all(claims)).toEqual(messages.map(() => "dot"));
      await node.ledger.sendable();
      const left = `SELECT count(*)::int FROM deliveries WHERE mailing = ${mailing} AND state <> 'dot'`;
      expect(await opened.values(left)).toEqual([0]);
      for (const message of messages)
        await node.ledger.settle(message, { state: "untouched", reply: null }, NOW, null, "bulk");
    }
  });

  test("a dot that became known too late is not taken back from another node, which may be sending it", async () => {
    const [node, other] = [await join(), await join()];
    const { mailing, messages } = await make("moved", 1);
    node.time += 14_000;
    expect(await failureOf(claimDot(node.ledger, messages[0]!, node.run, NOW))).toBeInstanceOf(Fenced);
    await opened.run(`UPDATE deliveries SET state = 'queued', node = NULL WHERE mailing = ${mailing}`);
    expect(await claimDot(other.ledger, messages[0]!, other.run, NOW)).toBe("dot");
    await node.ledger.beat(NOW);
    await node.ledger.sendable();
    expect(await opened.values(`SELECT state FROM deliveries WHERE mailing = ${mailing}`)).toEqual(["dot"]);
    await other.ledger.settle(messages[0]!, SENT, NOW, null, "bulk");
    expect(await other.ledger.progress(mailing)).toMatchObject({ phase: "finished", sent: 1 });
  });

  test("two sweeps at once count a node's messages once", async () => {
    const [lost, a, b] = [await join(), await join(), await join()];
    const { messages } = await make("sweep", 5);
    await Promise.all(messages.map((message) => claimDot(lost.ledger, message, lost.run, NOW)));
    await loseLease(lost);
    const swept = await Promise.all([a.ledger.sweep(NOW), b.ledger.sweep(NOW), a.ledger.sweep(NOW)]);
    // A sweep that comes while another is under way passes it over.
    expect(swept.reduce((sum, n) => sum + n, 0)).toBe(5);
  });

  test("the last two messages are settled by two nodes at once, and the campaign ends", async () => {
    const [a, b] = [await join(), await join()];
    for (let round = 0; round < 10; round++) {
      const { mailing, messages } = await make(`last${round}x`, 2);
      const [first, second] = messages as [number, number];
      await Promise.all([claimDot(a.ledger, first, a.run, NOW), claimDot(b.ledger, second, b.run, NOW)]);
      await Promise.all([
        a.ledger.settle(first, SENT, NOW, null, "bulk"),
        b.ledger.settle(second, SENT, NOW, null, "bulk"),
      ]);
      expect(await a.ledger.progress(mailing)).toMatchObject({ phase: "finished", sent: 2 });
    }
  });

  const oneMore = () => new SQL({ url: opened.url, max: 1 });
  let people = 0;
  const WITHDRAWALS = {
    "opts out": "UPDATE contacts SET status = 'UNSUBSCRIBED' WHERE email = 'PERSON'",
    "is suppressed":
      "INSERT INTO suppressions (workspace, address, reason, source, created_at) VALUES (1, 'PERSON', 'MANUAL', 'api', 1)",
    "is deleted": "DELETE FROM contacts WHERE email = 'PERSON'",
    "gets another address": "UPDATE contacts SET email = 'moved-' || email WHERE email = 'PERSON'",
  };
  const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const somebodyWaits = () => eventually(async () => (await opened.values(WAITING)).length > 0);

  test.each(Object.entries(WITHDRAWALS))(
    "somebody %s: a claim that is made meanwhile sees it",
    async (_, withdrawal) => {
      const prefix = `seen${++people}x`;
      const { messages } = await make(prefix, 1);
      const node = await join();
      const person = oneMore();
      let claim: Promise<unknown> | undefined;
      await person.begin(async (tx) => {
        await tx.unsafe(withdrawal.replace("PERSON", `${prefix}0@example.com`));
        claim = claimDot(node.ledger, messages[0]!, node.run, NOW);
        await somebodyWaits();
      });
      await person.close();
      expect(await claim).not.toBe("dot");
      expect(await opened.values(`SELECT state FROM deliveries WHERE seq = ${messages[0]}`)).toEqual([
        "skipped",
      ]);
    },
  );

  test.each(Object.entries(WITHDRAWALS))(
    "somebody %s: it waits for a claim that was first",
    async (_, withdrawal) => {
      const prefix = `first${++people}x`;
      const { messages } = await make(prefix, 1);
      const [claiming, person] = [oneMore(), oneMore()];
      let withdrawn: Promise<unknown> | undefined;
      let isWithdrawn = false;
      await claiming.begin(async (tx) => {
        await tx.unsafe(`UPDATE deliveries SET state = 'dot' WHERE seq = ${messages[0]}`);
        const statement = person.unsafe(withdrawal.replace("PERSON", `${prefix}0@example.com`));
        withdrawn = statement.then(() => (isWithdrawn = true));
        await somebodyWaits();
        expect(isWithdrawn).toBe(false);
      });
      await withdrawn;
      await Promise.all([claiming.close(), person.close()]);
      expect(await opened.values(`SELECT state FROM deliveries WHERE seq = ${messages[0]}`)).toEqual(["dot"]);
    },
  );

  test("everything is held when a node joins a copy", async () => {
    const { mailing } = await make("held", 1);
    const node = await join();
    const { held } = await node.ledger.join(NOW, true);
    expect(held).toBeGreaterThan(0);
    expect(await node.ledger.progress(mailing)).toMatchObject({ held: true });
    expect(await node.ledger.sendable()).toEqual([]);
  });

  test("a webhook's messages go out from one node, and from another when that one has ended", async () => {
    const [one, other] = [await join(), await join()];
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await opened.run(
        `INSERT INTO webhooks (id, workspace, url, events, state, secret, created_at)
         VALUES ('wh_${number}', 1, 'https://${number}.example', '["*"]', 'ENABLED', 's', 1)`,
      );
      await opened.run(
        `INSERT INTO webhook_deliveries (webhook, nonce, type, data, created_at, next_attempt_at)
         SELECT seq, 'n', 't', '{}', 1, 1 FROM webhooks WHERE id = 'wh_${number}'`,
      );
    }
    const dueAt = async ({ outbox }: Node) => (await outbox.dueEndpoints(NOW)).map(({ url }) => url);
    const [first, second] = await Promise.all([dueAt(one), dueAt(other)]);
    expect([...first, ...second].toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((n) => `https://${n}.example`));
    expect([await dueAt(one), await dueAt(other)]).toEqual([first, second]);
    await loseLease(one);
    await other.ledger.sweep(NOW);
    expect(await dueAt(other)).toHaveLength(6);
    expect(await dueAt(one)).toEqual([]);
  });
});
