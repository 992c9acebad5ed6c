/** Pages of the messages that arrived although no relay confirmed it. They are few, in mailings that may be large. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BounceStore } from "#bounces/store.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { bounceStore } from "#storage/postgres/bounces/bounce-store.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { nodesDatabase, type NodesDatabase } from "../../../support/storage/nodes-database.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";
import { claimDot } from "../../../support/storage/engine-mailings.ts";

const NOW = 1_800_000_000_000;
const REASON = "SEEN_BY_RECIPIENT";
const UNCERTAIN = { state: "uncertain", reason: "CONNECTION_LOST" } as const;

describe.skipIf(await lacksPostgres())("messages that a recipient has shown to have arrived", () => {
  let opened: NodesDatabase;
  let ledger: LedgerStore;
  let bounces: BounceStore;
  let run = 0;
  beforeAll(async () => {
    opened = await nodesDatabase();
    const clock = { monotonicMs: () => 0 };
    const database = await opened.open();
    bounces = bounceStore(database);
    ledger = ledgerStore(database, ownNode(clock, { name: "test", version: "0" }), clock);
    ({ run } = await ledger.join(NOW, false));
    await opened.keepAlive(run);
  });
  afterAll(() => opened.end());

  /** So many messages of a mailing, whose answer was lost, and which were opened then. */
  const seen = async (prefix: string, people: number) => {
    const made = await opened.make(prefix, people);
    for (const message of made.messages) {
      expect(await claimDot(ledger, message, run, NOW)).toBe("dot");
      await ledger.settle(message, UNCERTAIN, NOW, null, "bulk");
    }
    await ledger.recordEngagement(
      made.messages.map((message) => ({
        message,
        kind: "open",
        by: "person",
        at: NOW,
        link: null,
        times: 1,
      })),
      () => false,
    );
    return made;
  };
  const pageOf = async (mailing: number, limit = 10, before: number | null = null) => {
    const filter = { state: null, email: null, reason: REASON };
    const { items, total, nextPosition } = await ledger.deliveries(mailing, filter, { limit, before });
    return [items.map(({ email }) => email.split("@")[0]), total, nextPosition];
  };
  const endsOf = (mailing: number) =>
    opened.values(
      `SELECT state || ' ' || coalesce(reason, '') FROM delivery_ends WHERE mailing = ${mailing} ORDER BY message`,
    );

  test("are found without a walk through their mailing", async () => {
    const { mailing, messages } = await seen("found", 3);
    expect(await pageOf(mailing)).toEqual([["found2", "found1", "found0"], 3, null]);
    expect(await pageOf(mailing, 2)).toEqual([["found2", "found1"], 3, messages[1]!]);
    expect(await pageOf(mailing, 2, messages[1])).toEqual([["found0"], 3, null]);
    expect(await endsOf(mailing)).toEqual(Array.from({ length: 3 }, () => `sent ${REASON}`));
    // One that nothing but a walk would find.
    const lone = `INSERT INTO deliveries (mailing, address, state, reason) VALUES (${mailing}, 'lone@x', 'sent', '${REASON}')`;
    await opened.run(lone);
    expect(await pageOf(mailing)).toEqual([["found2", "found1", "found0"], 3, null]);
  });

  test("are no longer among them once they bounced", async () => {
    const { mailing, messages } = await seen("bounced", 2);
    const said = { kind: "hard", reason: "HARD_BOUNCE", status: "5.1.1", words: "", recipients: [] } as const;
    await bounces.apply({ ...said, message: messages[0]!, at: NOW + 1, way: "smtp" }, () => ({
      moves: ["bounced"],
      person: null,
    }));
    expect(await endsOf(mailing)).toEqual(["bounced HARD_BOUNCE", `sent ${REASON}`]);
    expect(await pageOf(mailing)).toEqual([["bounced1"], 1, null]);
  });

  test("are found where a version before this one wrote some of them", async () => {
    const { mailing, messages } = await seen("older", 3);
    await opened.run(`DELETE FROM delivery_ends WHERE message = ${messages[1]}`);
    expect(await pageOf(mailing)).toEqual([["older2", "older1", "older0"], 3, null]);
  });
});
