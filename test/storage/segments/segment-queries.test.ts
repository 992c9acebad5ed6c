import { errorAnswer } from "#http/errors.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { workspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { segmentQueries } from "#storage/sqlite/segments/segment-queries.ts";
import type { SegmentQuestion } from "#storage/sqlite/segments/segment-thread.ts";
import { startSegmentThread } from "#threads.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";

/**
 * The thread that segments are asked in: when it starts and ends, whose turn it is, and what an error costs.
 */

let api: TestApi;
let neighbour: string;
beforeAll(async () => {
  api = await startApi();
  neighbour = (await api.services.workspaces.create("Neighbours")).id;
  await person(api, "ada@example.com", { tags: ["vip"] });
});
afterAll(() => api.stop());

const VIP = { field: "tag", op: "equals", value: "vip" };
const about = (workspaceId: string, rules: SegmentQuestion["rules"] = VIP): SegmentQuestion => ({
  workspace: workspaceSeq(api.services.database.sqlite)(workspaceId),
  now: 0,
  rules,
  ask: { kind: "count", sample: 0 },
});

function queries(onStart: (thread: Worker) => void = () => undefined) {
  const threads: Worker[] = [];
  const clock = manualClock();
  const asked = segmentQueries(
    api.services.database,
    () => {
      const thread = startSegmentThread();
      threads.push(thread);
      onStart(thread);
      return thread;
    },
    clock,
  );
  return { ...asked, threads, clock };
}

test("the first question starts the thread, the next ones use it, and without work it is ended", async () => {
  const { ask, close, threads, clock } = queries();
  expect(threads).toHaveLength(0);
  for (let n = 0; n < 3; n++)
    expect(await ask(about(api.workspaceId))).toMatchObject({ total: 1, subscribed: 1 });
  expect(threads).toHaveLength(1);
  await nextLoopTurn();
  clock.advance(60_000);
  expect((await ask(about(api.workspaceId))).total).toBe(1);
  expect(threads).toHaveLength(2);
  close();
});

test("workspaces take turns: one question does not wait for a hundred of another", async () => {
  const { ask, close } = queries();
  const order: string[] = [];
  const asked = Array.from({ length: 100 }, () =>
    ask(about(api.workspaceId)).then(() => void order.push("many")),
  );
  await Promise.all([...asked, ask(about(neighbour)).then(() => void order.push("one"))]);
  expect(order.indexOf("one")).toBeLessThan(3);
  close();
});

test("everybody's answer is their own", async () => {
  const { ask, close } = queries();
  const [mine, theirs] = await Promise.all([ask(about(api.workspaceId)), ask(about(neighbour))]);
  expect([mine.total, theirs.total]).toEqual([1, 0]);
  close();
});

describe("an error", () => {
  test("in a question is that question's alone", async () => {
    const { ask, close, threads } = queries();
    const [bad, good] = await Promise.allSettled([
      ask(about(api.workspaceId, { field: "nothing" })),
      ask(about(api.workspaceId)),
    ]);
    expect([bad.status, good.status]).toEqual(["rejected", "fulfilled"]);
    expect(threads).toHaveLength(1);
    close();
  });

  test("that ends the thread rejects what was under way; the next question has a new one", async () => {
    const { ask, close, threads } = queries();
    await ask(about(api.workspaceId));
    const asked = [ask(about(api.workspaceId)), ask(about(api.workspaceId))];
    threads[0]!.terminate();
    const ended = await Promise.allSettled(asked);
    expect(ended.at(-1)).toMatchObject({ status: "fulfilled", value: { total: 1 } });
    close();
  });

  test("that an answer takes ten seconds puts it into a thread beside the others, and five minutes end it", async () => {
    const ofLong = about(api.workspaceId).workspace;
    const { ask, close, threads, clock } = queries((thread) => {
      // As while it reads for hours.
      const send = thread.postMessage.bind(thread);
      thread.postMessage = (order: SegmentQuestion) => {
        if (order.workspace !== ofLong) send(order, []);
      };
    });
    let givenUp = 0;
    const long = [1, 2].map(() =>
      ask(about(api.workspaceId)).catch((error: unknown) => {
        givenUp++;
        return errorAnswer(error);
      }),
    );
    const next = ask(about(neighbour));
    await nextLoopTurn();
    clock.advance(10_000 - 1);
    await nextLoopTurn();
    expect([givenUp, threads.length]).toEqual([0, 1]);
    clock.advance(1);
    // Both long ones are still to be answered.
    expect(await next).toMatchObject({ total: 0 });
    await nextLoopTurn();
    clock.advance(10_000);
    expect(await ask(about(neighbour))).toMatchObject({ total: 0 });
    expect(givenUp).toBe(0);
    clock.advance(5 * 60_000);
    expect(await long[0]).toMatchObject({
      status: 422,
      message: expect.stringContaining("Make the segments that are asked for or left out simpler"),
    });
    expect(givenUp).toBe(1);
    await nextLoopTurn();
    clock.advance(5 * 60_000);
    expect(await long[1]).toMatchObject({ status: 422 });
    // An answer that came in time is not ended later.
    clock.advance(5 * 60_000);
    expect(await ask(about(neighbour))).toMatchObject({ total: 0 });
    close();
  });

  test("after the end there are no more questions, and none is left without an answer", async () => {
    const { ask, close } = queries();
    const asked = [ask(about(api.workspaceId)), ask(about(neighbour))];
    close();
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
    const [late] = await Promise.allSettled([ask(about(api.workspaceId))]);
    expect(late).toMatchObject({ status: "rejected", reason: { message: "The database is closed." } });
  });
});
