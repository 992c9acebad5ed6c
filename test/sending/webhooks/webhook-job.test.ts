/** The order in which reads, changes and outcomes of webhooks may meet, which a real database shows only by chance. */
import { describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { outboxStore } from "#storage/postgres/webhooks/outbox-store.ts";
import type { Endpoint } from "#webhooks/endpoint.ts";
import { webhookJob } from "#webhooks/job.ts";
import type { OutboxStore } from "#webhooks/store.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { seededRandom } from "../../support/common/dice.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";

const HEALTHY = { failures: 0, failingSince: null, resumeAt: 0 };
const endpoint = (url: string): Endpoint => ({
  number: 1,
  workspaceId: "ws_1",
  url,
  secrets: ["whsec_AA=="],
  health: HEALTHY,
  dueAt: 0,
});

/** One endpoint that is owed one message while `isOwed`, unless `outbox` says otherwise. */
function world(isOwed: () => boolean, outbox: Partial<OutboxStore>) {
  const clock = manualClock();
  const calls: string[] = [];
  let wakes = 0;
  const isDue = () => isOwed() && calls.length === 0;
  const job = webhookJob({
    outbox: {
      onOwed: () => undefined,
      dueEndpoints: async () => (isDue() ? [endpoint("https://old.example/")] : []),
      due: async () => (isDue() ? [{ number: 1, id: "msg", body: "{}" }] : []),
      settle: async () => HEALTHY,
      clear: async () => false,
      drawIn: async () => undefined,
      ...outbox,
    },
    workspaces: { settings: () => Promise.resolve({ allowPrivateWebhooks: false } as never) },
    caller: {
      free: () => 32,
      async call(_, { url }) {
        calls.push(url);
        return { kind: "status", status: 200, answer: "", askedPauseMs: 0 };
      },
    },
    isSending: () => false,
    wake: () => void wakes++,
    clock,
    random: seededRandom(1),
    log: SILENT_LOG,
  });
  /** As the scheduler does: never two runs at a time, and one more after each wake. */
  const runs = async (): Promise<void> => {
    for (let left = 1; left > 0; left = wakes) {
      wakes = 0;
      await job.run(() => undefined);
    }
  };
  return { clock, calls, job, runs };
}

test("removing a million messages of a deleted webhook holds up nobody else's", async () => {
  let cleared = 0;
  let clearedAtCall: number | null = null;
  const own = world(() => cleared >= 50, {
    async clear() {
      // The requests that were begun go on between two transactions.
      await nextLoopTurn();
      if (own.calls.length > 0) clearedAtCall ??= cleared;
      return ++cleared < 400;
    },
  });
  await own.runs();
  expect(cleared).toBe(400);
  expect(own.calls).toHaveLength(1);
  expect(clearedAtCall).toBeLessThan(70);
});

test("a message that comes while the work on others ends is sent at once", async () => {
  const delayed: number[] = [];
  for (let microtasks = 0; microtasks < 60; microtasks++) {
    let isOwed = false;
    const own = world(() => isOwed, { dueEndpoints: async () => [endpoint("https://one.example/")] });
    const ends = own.job.run(() => undefined);
    for (let n = 0; n < microtasks; n++) await Promise.resolve();
    isOwed = true;
    await own.job.run(() => undefined);
    await ends;
    await nextLoopTurn();
    if (own.calls.length === 0) delayed.push(microtasks);
    await own.job.stop();
  }
  expect(delayed).toEqual([]);
});

describe("a webhook that is changed gets nothing at its old address", () => {
  test("while its messages are read", async () => {
    const changes = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    let url = "https://old.example/";
    const own = world(() => true, {
      dueEndpoints: async () => [endpoint(url)],
      async due() {
        if (own.calls.length > 0) return [];
        reading.resolve();
        await changes.promise;
        return [{ number: 1, id: "msg", body: "{}" }];
      },
    });
    await own.runs();
    await reading.promise;
    url = "https://new.example/";
    own.job.changed();
    changes.resolve();
    await nextLoopTurn();
    await own.runs();
    await eventually(() => own.calls.length > 0);
    expect(own.calls).toEqual(["https://new.example/"]);
    await own.job.stop();
  });

  test("while it is looked up", async () => {
    let url = "https://old.example/";
    const own = world(() => true, {
      async dueEndpoints() {
        const found = [endpoint(url)];
        if (url === "https://old.example/") {
          url = "https://new.example/";
          own.job.changed();
        }
        return found;
      },
    });
    await own.runs();
    await nextLoopTurn();
    await own.runs();
    await eventually(() => own.calls.length > 0);
    expect(own.calls).toEqual(["https://new.example/"]);
    await own.job.stop();
  });
});

test("over PostgreSQL, a message whose outcome is written while due ones are read is not read again", async () => {
  const underWay = new Set([1]);
  const row = { seq: 1, nonce: "0123456789abcdef", type: "contact.created", data: "{}", createdAt: 0 };
  const database = {
    read: (work: (session: object) => unknown) =>
      work({
        async rows() {
          // The answer is older than the outcome, and comes after it.
          underWay.delete(1);
          return [row];
        },
      }),
    write: async () => undefined,
    onWritten: () => undefined,
  };
  const outbox = outboxStore(database as unknown as PostgresDatabase, { number: 1 } as never);
  expect(await outbox.due(1, 0, 32, underWay)).toEqual([]);
});
