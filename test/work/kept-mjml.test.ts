import { expect, test } from "bun:test";
import { invalid } from "#core/errors/errors.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { FULL } from "#mail/liquid/allowance.ts";
import { jobOf } from "#work/jobs.ts";
import { keepingMjml } from "#work/kept-mjml.ts";
import type { Work } from "#work/pool.ts";
import { manualClock } from "../support/common/manual-clock.ts";

const mjml = (text: string) =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;

/** The jobs without threads, and which of them were done. */
function kept() {
  const asked: string[] = [];
  const clock = manualClock();
  const state = { isFull: false, baseUrl: "https://mail.example.com" };
  const base: Work = {
    run: async (_workspaceId, name, input) => {
      asked.push(name);
      if (state.isFull) return invalid("full");
      return (await jobOf(name).perform(input, FULL, state.baseUrl)) as never;
    },
    reachedAt: (baseUrl) => void (state.baseUrl = baseUrl),
    stop: () => undefined,
  };
  const work = keepingMjml(base, clock);
  const letter = (html: string, personalize = false) =>
    work.run("ws", "letterFaults", {
      subject: "Hi",
      html,
      preheader: "",
      text: null,
      format: "mjml",
      personalize,
    });
  return { work, letter, asked, clock, state };
}

test("what a letter's check compiled is what its send gets, and a second check compiles nothing", async () => {
  for (const personalize of [false, true]) {
    const { work, letter, asked } = kept();
    const source = mjml("Dear {{ contact.firstName }} <a href='https://example.org'>x</a>");
    const judged = await letter(source, personalize);
    const job = personalize ? "liquidMjml" : "mjml";
    const sent = await work.run("ws", job, source);
    expect(asked).toEqual(["letterFaults"]);
    const [fresh] = [await jobOf(job).perform(source, FULL, "https://mail.example.com")];
    expect(sent).toEqual(fresh as never);
    expect(await letter(source, personalize)).toEqual({ ok: true, value: { faults: [], html: null } });
    expect(judged).toMatchObject({ ok: true, value: { faults: [] } });
  }
});

test("faults and refusals are found anew each time", async () => {
  const { work, letter, asked, state } = kept();
  const broken = "<mjml><mj-body><mj-nope /></mj-body></mjml>";
  for (let time = 0; time < 2; time++) {
    const judged = await letter(broken);
    expect(judged.ok && judged.value.faults.length).toBe(1);
  }
  state.isFull = true;
  expect((await work.run("ws", "mjml", mjml("a"))).ok).toBe(false);
  state.isFull = false;
  expect((await work.run("ws", "mjml", mjml("a"))).ok).toBe(true);
  expect(asked).toHaveLength(4);
});

test("only so much is kept, for ten minutes, and for one address of the service", async () => {
  const { work, asked, clock } = kept();
  const asks = async (source: string): Promise<number> => {
    const before = asked.length;
    await work.run("ws", "mjml", source);
    return asked.length - before;
  };
  const long = (text: string) => mjml(text + "<p>x</p>".repeat(110_000));
  expect(await asks(mjml("a"))).toBe(1);
  expect(await asks(mjml("a"))).toBe(0);
  expect([await asks(long("1")), await asks(long("2")), await asks(long("3"))]).toEqual([1, 1, 1]);
  expect(await asks(long("3"))).toBe(0);
  expect(await asks(mjml("a"))).toBe(1);
  clock.advance(10 * MINUTE_MS);
  expect(await asks(mjml("a"))).toBe(1);
  work.reachedAt("https://other.example.com");
  expect(await asks(mjml("a"))).toBe(1);
});

test("a letter that is too long to be kept takes no other's place", async () => {
  const { work, asked } = kept();
  await work.run("ws", "mjml", mjml("a"));
  await work.run("ws", "mjml", mjml("<p>x</p>".repeat(260_000)));
  await work.run("ws", "mjml", mjml("a"));
  expect(asked).toHaveLength(2);
});
