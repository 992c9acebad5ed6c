import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { createLog } from "#log.ts";
import { workPool, WorkLate } from "#work/pool.ts";
import { BUDGET, type Budget } from "#work/budget.ts";
import type { JobInput } from "#work/jobs.ts";
import { manualClock } from "../support/common/manual-clock.ts";

const MJML =
  "<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>";
const sections = (n: number): string =>
  `<mjml><mj-body>${"<mj-section><mj-column><mj-text>a</mj-text></mj-column></mj-section>".repeat(n)}</mj-body></mjml>`;
/** Half a second's work, and about the largest HTML that is accepted. */
const SLOW_MJML = sections(800);
/** Work of many seconds: it is never done before something ends it, however busy the machine is. */
const ENDLESS_MJML = sections(40_000);

const REQUEST: JobInput<"request"> = {
  from: { name: "Ada", address: "ada@example.com" },
  replyTo: null,
  subject: "Hello {{ name }}",
  html: "<p>Dear {{ name }}</p>",
  mjml: null,
  text: null,
  variables: JSON.stringify({ name: "Grace" }),
  filled: [],
  headers: [],
  attachments: [],
  feedbackId: "send:ws:transactional:postrider",
};

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A pool of real threads, how many it started, and what it logged. */
function pool(budget: Partial<Budget> = {}, clock: Clock = systemClock) {
  const seen = { started: 0, threads: [] as Worker[], lines: [] as string[] };
  const log = createLog({
    level: "warn",
    format: "json",
    clock,
    write: (line) => void seen.lines.push(line),
  });
  const startThread = (): Worker => {
    seen.started++;
    const thread = new Worker(new URL("../../src/job-worker.ts", import.meta.url).href, { smol: true });
    seen.threads.push(thread);
    return thread;
  };
  const work = workPool({ startThread, clock, log, budget: { ...BUDGET, ...budget } });
  stops.push(() => work.stop());
  return { work, seen };
}

describe("what is brief", () => {
  test("is done in place: no thread is started", async () => {
    const { work, seen } = pool();
    const done = await work.run("ws_ada", "request", REQUEST);
    expect(done.ok && done.value.body).toContain("Dear Grace");
    expect(seen.started).toBe(0);
  });

  test.each([
    ["its template takes more steps", { html: "{% for i in (1..9000) %}{{ name }}{% endfor %}" }],
    ["its HTML becomes long", { html: "{% for i in (1..300) %}<p>{{ name }}</p>{% endfor %}" }],
    ["it is MJML", { html: null, mjml: MJML }],
  ])("is done in a thread where %s", async (_why, change) => {
    const { work, seen } = pool();
    expect((await work.run("ws_ada", "request", { ...REQUEST, ...change })).ok).toBe(true);
    expect(seen.started).toBe(1);
  });
});

describe("a job in a thread", () => {
  test("leaves the event loop to everybody else", async () => {
    const { work } = pool();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const done = await work.run("ws_ada", "mjml", SLOW_MJML);
    clearInterval(timer);
    expect(done.ok).toBe(true);
    expect(turns).toBeGreaterThan(20);
  });

  test("that spends its time is tried once more and then refused; its thread is replaced, and the next job is done", async () => {
    // A thread's first job needs 60 ms, and more on a busy machine: the budget is several times that.
    const { work, seen } = pool({ cpuMs: 500 });
    const done = await work.run("ws_ada", "mjml", ENDLESS_MJML);
    expect(done).toMatchObject({ ok: false, refusal: { code: "VALIDATION_ERROR" } });
    expect(done.ok ? "" : done.refusal.message).toStartWith("The letter takes too much work");
    expect(done).not.toMatchObject({ refusal: { isPassing: true } });
    expect(seen.lines.filter((line) => line.includes("a thread was ended"))).toHaveLength(2);
    expect((await work.run("ws_ada", "request", { ...REQUEST, html: "<p>a</p>".repeat(100) })).ok).toBe(true);
    expect(seen.started).toBe(3);
  });

  test("is not given to a thread that ended while it had none", async () => {
    const { work, seen } = pool();
    expect((await work.run("ws_ada", "mjml", MJML)).ok).toBe(true);
    const [thread] = seen.threads;
    const ended = new Promise((resolve) => {
      thread!.addEventListener("close", resolve);
    });
    thread!.terminate();
    await ended;
    expect((await work.run("ws_ada", "mjml", MJML)).ok).toBe(true);
    expect([seen.started, seen.lines]).toEqual([2, []]);
  });

  test("that spends its memory is refused, for a reason that passes", async () => {
    // What the process takes can stay the same while a job grows: other tests left memory that is used again. So
    // the figure is made here, 8 MB more with each look; the rest is real.
    let looks = 0;
    const taken = spyOn(process.memoryUsage, "rss").mockImplementation(() => looks++ * 8 * 1024 * 1024);
    stops.push(() => taken.mockRestore());
    const { work, seen } = pool({ memoryBytes: 4 * 1024 * 1024 });
    const done = await work.run("ws_ada", "mjml", ENDLESS_MJML);
    expect(done.ok ? "" : done.refusal.message).toStartWith("The letter takes too much memory");
    expect(done).toMatchObject({ refusal: { isPassing: true } });
    expect(seen.lines.filter((line) => line.includes("a thread was ended"))).toHaveLength(2);
  });

  test("that begins while an ended one still gives its memory back may take no more for that", async () => {
    // Each of its two tries has three of them. It has no third.
    const figures = [100, 0, 60, 100, 0, 60].map((each) => each * 1024 * 1024).values();
    const taken = spyOn(process.memoryUsage, "rss").mockImplementation(
      () => figures.next().value ?? 100 * 1024 * 1024,
    );
    stops.push(() => taken.mockRestore());
    const { work } = pool({ memoryBytes: 50 * 1024 * 1024, cpuMs: 1_000 });
    const done = await work.run("ws_ada", "mjml", ENDLESS_MJML);
    expect(done.ok ? "" : done.refusal.message).toStartWith("The letter takes too much memory");
  });

  test("is done while the process can open no file, and so cannot read its memory", async () => {
    const unread = spyOn(process.memoryUsage, "rss").mockImplementation(() => {
      throw new Error("Failed to get memory usage");
    });
    stops.push(() => unread.mockRestore());
    // Long enough to be looked at many times.
    expect((await pool().work.run("ws_ada", "mjml", SLOW_MJML)).ok).toBe(true);
    expect(unread.mock.calls.length).toBeGreaterThan(1);
    const { work } = pool({ cpuMs: 100 });
    const done = await work.run("ws_ada", "mjml", ENDLESS_MJML);
    expect(done.ok ? "" : done.refusal.message).toStartWith("The letter takes too much work");
  });

  test("that only waited long for a processor is rejected, to be tried again", async () => {
    const { work } = pool({ lateMs: 1 });
    expect(await work.run("ws_ada", "mjml", ENDLESS_MJML).catch((error: unknown) => error)).toBeInstanceOf(
      WorkLate,
    );
  });

  test("whose letter is nested beyond all reason says so, and the thread goes on", async () => {
    const { work, seen } = pool();
    const html = "<b>".repeat(200_000);
    const done = await work.run("ws_ada", "marketing", { html: [html] } as never);
    expect(done.ok).toBe(false);
    expect((await work.run("ws_ada", "mjml", MJML)).ok).toBe(true);
    expect(seen.started).toBe(1);
  });

  test("whose input is larger than any letter is refused unread", async () => {
    const { work, seen } = pool();
    const done = await work.run("ws_ada", "mjml", "x".repeat(9 * 1024 * 1024));
    expect(done).toMatchObject({ ok: false });
    expect(seen.started).toBe(0);
  });

  test("is refused in words about what it works on, a letter, a flow or a mail", async () => {
    const { work } = pool();
    const large = "x".repeat(9 * 1024 * 1024);
    const nodes = [{ id: "start", type: "trigger", data: { note: large } }];
    const known = {
      lists: new Set<string>(),
      allowPrivateWebhooks: false,
      trackOpens: true,
      trackClicks: true,
      now: 0,
    };
    const refusals = await Promise.all([
      work.run("ws_ada", "plainText", large),
      work.run("ws_ada", "problems", { flow: { nodes, edges: [] }, known }),
      work.run("ws_ada", "mailText", Buffer.from(large)),
    ]);
    expect(refusals.map((refused) => (refused.ok ? "" : refused.refusal.message))).toEqual([
      "The letter is larger than 8 MB. Shorten it.",
      "The flow is larger than 8 MB. Make it smaller.",
      "The mail is larger than 8 MB.",
    ]);
  });

  test("whose HTML becomes larger than 2 MB is refused", async () => {
    const { work } = pool();
    const done = await work.run("ws_ada", "mjml", MJML.replace("Hi", "<i>a</i>".repeat(265_000)));
    expect(done.ok ? "" : done.refusal.message).toBe("the HTML made of it is larger than 2 MB");
  });
});

describe("several workspaces", () => {
  test("one that asks for much keeps no other waiting", async () => {
    const { work } = pool();
    const order: string[] = [];
    const ask = (workspaceId: string, source: string): Promise<unknown> =>
      work.run(workspaceId, "mjml", source).then(() => order.push(workspaceId));
    const attacks = Promise.allSettled(Array.from({ length: 3 }, () => ask("ws_eve", ENDLESS_MJML)));
    await ask("ws_ada", MJML);
    expect(order).toEqual(["ws_ada"]);
    work.stop();
    await attacks;
  });

  test("no more than a hundred jobs of one wait", async () => {
    const { work } = pool();
    const outcomes = Array.from({ length: 110 }, () =>
      work.run("ws_eve", "mjml", MJML).then(
        () => "done",
        (error: unknown) => (error instanceof WorkLate ? "late" : error),
      ),
    );
    const late = (await Promise.all(outcomes)).filter((outcome) => outcome === "late");
    expect(late).toHaveLength(9);
  });
});

test("Idle threads end, and another is started when it is needed", async () => {
  const clock = manualClock();
  const { work, seen } = pool({}, clock);
  await work.run("ws_ada", "mjml", MJML);
  await work.run("ws_ada", "mjml", MJML);
  expect(seen.started).toBe(1);
  clock.advance(60_000);
  await work.run("ws_ada", "mjml", MJML);
  expect(seen.started).toBe(2);
});

test("Stopping rejects what runs and what waits, and whatever comes after", async () => {
  const { work } = pool();
  const asked = [1, 2, 3].map(() => work.run("ws_ada", "mjml", SLOW_MJML));
  const ended = Promise.allSettled(asked);
  work.stop();
  for (const each of await ended) expect(each).toMatchObject({ reason: expect.any(WorkLate) });
  expect(await work.run("ws_ada", "mjml", MJML).catch((error: unknown) => error)).toBeInstanceOf(WorkLate);
});
