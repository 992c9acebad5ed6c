import { afterAll, expect, test } from "bun:test";
import { compiledTemplates } from "#templates/compiled-templates.ts";
import { systemClock } from "#core/time/clock.ts";
import { startJobThread } from "#threads.ts";
import { jobOf } from "#work/jobs.ts";
import { workPool, type Work } from "#work/pool.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";

const pool = workPool({ startThread: startJobThread, clock: systemClock, log: SILENT_LOG });
afterAll(() => pool.stop());

const mjml = (text: string) =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
const template = (id: string, text = "Dear {{ name }}") =>
  ({ id, subject: "For {{ name }}", format: "mjml", body: mjml(text) }) as const;

/** The real pool, and what was asked of it. */
function counted(): { work: Pick<Work, "run">; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    work: {
      run: (workspaceId, name, input) => {
        asked.push(name);
        return pool.run(workspaceId, name, input);
      },
    },
  };
}

test("a template is compiled once, also for many who ask at once", async () => {
  const { work, asked } = counted();
  const templates = compiledTemplates({ work });
  const names = Array.from({ length: 50 }, (_, i) => `Reader ${i}`);
  const filled = await Promise.all(names.map((name) => templates.fill("ws", template("a"), { name })));
  for (const [i, letter] of filled.entries()) {
    if (!letter.ok) throw new Error(letter.refusal.message);
    expect(letter.value.subject).toBe(`For Reader ${i}`);
    expect(letter.value.html).toContain(`Dear Reader ${i}<`);
  }
  expect(asked).toEqual(["liquidMjml"]);
});

test("is filled in on the event loop with a receipt's values, in a thread with more", async () => {
  const { work, asked } = counted();
  const templates = compiledTemplates({ work });
  const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n, what: "A thing" }));
  for (const count of [100, 2_000]) {
    const letter = await templates.fill("ws", template("a"), { name: "Ada", items: items(count) });
    expect(letter.ok && letter.value.html.includes("Dear Ada<")).toBe(true);
  }
  expect(asked).toEqual(["liquidMjml", "fill"]);
});

test("and so is what a request says itself", () => {
  const request = { html: "<p>{{ a }}</p>", mjml: null, text: null, attachments: [] };
  const isBrief = (length: number) =>
    jobOf("request").isBrief({ ...request, variables: JSON.stringify({ a: "x".repeat(length) }) });
  expect([10_000, 20_000].map(isBrief)).toEqual([true, false]);
});

test("one that says something else is another, whatever its id and its time say", async () => {
  const { work, asked } = counted();
  const templates = compiledTemplates({ work });
  for (const text of ["One", "Two", "Two", "One"]) {
    const letter = await templates.fill("ws", template("a", text), {});
    expect(letter.ok && letter.value.html.includes(text)).toBe(true);
  }
  expect(asked).toEqual(["liquidMjml", "liquidMjml", "liquidMjml"]);
});

test("those used last are kept, and no more than 200", async () => {
  const { work, asked } = counted();
  const templates = compiledTemplates({ work });
  const fill = (id: string) => templates.fill("ws", template(id), {});
  for (let i = 0; i < 200; i++) await fill(`t${i}`);
  await fill("t0");
  expect(asked).toHaveLength(200);
  await fill("another");
  await fill("t0");
  expect(asked).toHaveLength(201);
  await fill("t1");
  expect(asked).toHaveLength(202);
});

test("what was stopped is no fault of the template: the next one tries again", async () => {
  let isBusy = true;
  const work: Pick<Work, "run"> = {
    run: (workspaceId, name, input) =>
      isBusy ? Promise.reject(new Error("late")) : pool.run(workspaceId, name, input),
  };
  const templates = compiledTemplates({ work });
  expect(templates.fill("ws", template("a"), {})).rejects.toThrow("late");
  await new Promise(setImmediate);
  isBusy = false;
  expect((await templates.fill("ws", template("a"), {})).ok).toBe(true);
});

test("a refusal for want of memory is not kept: the next one tries again", async () => {
  let isFull = true;
  const full = {
    ok: false,
    refusal: { code: "VALIDATION_ERROR", message: "full", isPassing: true },
  } as const;
  const work: Pick<Work, "run"> = {
    run: (workspaceId, name, input) => (isFull ? Promise.resolve(full) : pool.run(workspaceId, name, input)),
  };
  const templates = compiledTemplates({ work });
  expect((await templates.fill("ws", template("a"), {})).ok).toBe(false);
  isFull = false;
  expect((await templates.fill("ws", template("a"), {})).ok).toBe(true);
});
