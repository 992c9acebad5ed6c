/** A node that others have taken over, and that does not know it yet. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accept } from "#core/errors/errors.ts";
import { Fenced } from "#core/errors/fenced.ts";
import { systemClock } from "#core/time/clock.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { sendStore } from "#storage/postgres/transactional/send-store.ts";
import type { SendStore } from "#transactional/store.ts";
import { nodesDatabase, type NodesDatabase } from "../../../support/storage/nodes-database.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";

const NOW = 1_800_000_000_000;
const TO = { workspaceId: "ws_one", addresses: ["a@example.com"], now: NOW };

type Begin = (sends: SendStore, id: string) => Promise<unknown>;
const BEGINNINGS: Record<string, Begin> = {
  "a request": (sends, id) =>
    sends.begin({
      ...TO,
      id,
      tags: [],
      from: { address: "me@sender.example" },
      keyed: { key: id, bodyHash: new Uint8Array(32) },
      month: "2026-11",
      repeat: () => accept(null),
      checkQuota: () => null,
    }),
  "a campaign's test": (sends, id) => sends.beginTest({ ...TO, id, checkRate: () => null }),
};

describe.skipIf(await lacksPostgres())("a node that was fenced", () => {
  let opened: NodesDatabase;
  /** Its own time stands still: only the database knows that its lease is over. */
  const clock = { ...systemClock, monotonicMs: () => 0 };

  const join = async () => {
    const database = await opened.open();
    const own = ownNode(clock, { name: "test", version: "0" });
    const nodes = registry(database, own, clock);
    const { run } = await nodes.join(NOW, false);
    await opened.keepAlive(run);
    return { own, run, nodes, sends: sendStore(database, own, clock) };
  };

  beforeAll(async () => {
    opened = await nodesDatabase();
  });
  afterAll(() => opened.end());

  test.each(Object.entries(BEGINNINGS))(
    "does not begin %s, because nobody would end its messages",
    async (_, begin) => {
      const [lost, other] = [await join(), await join()];
      const late = `late_${lost.run}`;
      const states = () =>
        opened.values(`SELECT d.state FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing
          WHERE m.node = ${lost.run} ORDER BY d.seq`);
      expect(await begin(lost.sends, `early_${lost.run}`)).toMatchObject({ kind: "begun", owed: 1 });
      await opened.run(`UPDATE node_beats SET until = 0 WHERE node = ${lost.run}`);
      await other.nodes.sweep(NOW);
      const failure: unknown = await begin(lost.sends, late).catch((error: unknown) => error);
      await other.nodes.sweep(NOW);
      expect(await states()).toEqual(["failed"]);
      expect(failure).toBeInstanceOf(Fenced);
      expect(await lost.own.lost).toBe(failure as Fenced);
      expect(await opened.values(`SELECT key FROM send_keys WHERE key = '${late}'`)).toEqual([]);
      expect(await opened.values("SELECT n::int4 FROM sending_usage WHERE n <> 0")).toEqual([]);
      expect(await begin(other.sends, late)).toMatchObject({ kind: "begun", owed: 1 });
      await other.nodes.leave(NOW);
    },
  );
});
