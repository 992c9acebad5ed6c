import { describe, expect, test } from "bun:test";
import { letterShapes } from "#deliveries/letters/letter-shapes.ts";
import { personalLetter } from "#deliveries/letters/personal-letter.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import { systemClock } from "#core/time/clock.ts";
import { FULL } from "#mail/liquid/allowance.ts";
import { jobOf } from "#work/jobs.ts";
import { workPool, WorkLate, type Work } from "#work/pool.ts";
import type { Letter } from "#deliveries/letter.ts";
import { campaignLetters } from "#deliveries/letters/campaign-letter.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { PLAIN_LETTER } from "#mail/letter/letter-options.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { headerOf } from "../../support/sending/sending.ts";
import { asciiText } from "#mail/mime/ascii.ts";

const CONTENT: MailingContent = {
  subject: "Hello {{ contact.firstName }}",
  html: "<p>Dear {{ contact.firstName }}</p>",
  from: { name: "Ada", address: "ada@example.com" },
  replyTo: null,
  workspaceName: "Analytical Engines",
  mailingAddress: "1 Analytical Way",
  list: null,
  trackOpens: true,
  trackClicks: true,
};
const MAILING = {
  number: 1,
  workspaceId: "ws_1",
  kind: "automation",
  sourceId: "aut_1:key:2026-11",
} as const;
/** These letters are brief. */
const noThread = (): never => {
  throw new Error("a thread was asked for");
};
const brief = workPool({ startThread: noThread, clock: systemClock, log: SILENT_LOG });
/** For letters that are not: the same jobs, without a thread. */
const inPlace: Pick<Work, "run"> = {
  run: async (_workspaceId, name, input) =>
    (await jobOf(name).perform(input, FULL, "https://mail.example.org")) as never,
};
const NAMES = ["Ada", "Grace", "Linus", "Alan", "Edsger"];

/** A letter of this HTML for people of these names, and how often something was compiled. */
function letterFor(html: string, names = NAMES, threads: Pick<Work, "run"> = brief) {
  const compiled = { times: 0 };
  const saved: (readonly string[])[] = [];
  const letter = personalLetter(
    MAILING,
    { ...CONTENT, html },
    {
      secret: new Uint8Array(32),
      baseUrl: "https://mail.example.org",
      shapes: letterShapes(),
      work: threads,
      needsPeople: false,
      hasReaderUrls: false,
      valuesFor: async ({ number }) => {
        const firstName = names[number - 1];
        return firstName === undefined ? null : { scope: { contact: { firstName } }, kept: null };
      },
      keep: async (_message, { links }) => void saved.push(links.urls),
      inTurn: async (work) => (compiled.times++, work()),
    },
  );
  const compose = async (number: number): Promise<string> => {
    const message = { number, address: `reader-${number}@example.org`, attempts: 0, firstAttemptAt: null };
    const composed = await letter.compose(message as never, Date.UTC(2026, 10, 21));
    return composed.ok ? asciiText(composed.value.bytes) : `problem: ${composed.refusal.message}`;
  };
  return { compose, compiled, saved, letter };
}

describe("a personal letter", () => {
  test("is compiled once, however many people it goes to, each with their own words", async () => {
    const { compose, compiled } = letterFor(CONTENT.html);
    for (const [index, name] of NAMES.entries()) {
      const raw = await compose(index + 1);
      expect(headerOf(raw, "Subject")).toBe(`Hello ${name}`);
      expect(headerOf(raw, "To")).toBe(`reader-${index + 1}@example.org`);
      expect([...raw.matchAll(/Dear (\w+)/g)].map(([, said]) => said)).toEqual([name, name]);
    }
    expect(compiled.times).toBe(1);
  });

  test.each([
    ["compiled for all", "<p>Dear {{ contact.firstName }}</p>"],
    ["compiled for each", '<a href="{{ contact.firstName }}">go</a>'],
  ])("names the automation, workspace, kind and sender in its Feedback-ID, no more: %s", async (_, html) => {
    const raw = await letterFor(html).compose(1);
    expect(headerOf(raw, "Feedback-ID")).toBe("aut_1:ws_1:automation:postrider");
  });

  test("is compiled once for each way its branches go", async () => {
    const html =
      "{% if contact.firstName == 'Ada' %}<h1>You</h1>{% else %}<p>Dear {{ contact.firstName }}</p>{% endif %}";
    const { compose, compiled } = letterFor(html);
    for (let number = 1; number <= NAMES.length; number++) await compose(number);
    expect(compiled.times).toBe(2);
  });

  test.each([
    "{{ contact.firstName | escape }}",
    "{% capture dear %}<b>{{ contact.firstName }}</b>{% endcapture %}{{ dear }}",
    "{{ contact.firstName | newline_to_br }}",
  ])("is compiled once where its author escaped or captured a value: %s", async (source) => {
    const { compose, compiled } = letterFor(`<p>Dear ${source}</p>`);
    for (let number = 1; number <= NAMES.length; number++) await compose(number);
    expect(compiled.times).toBe(1);
  });

  describe("too long to be compiled on the event loop", () => {
    const LONG = "<p>x</p>".repeat(60);
    const composeAll = async (html: string, names: readonly string[]): Promise<boolean[]> => {
      const { compose, letter } = letterFor(html, [...names], inPlace);
      const slow: boolean[] = [];
      for (let number = 1; number <= names.length; number++) {
        await compose(number);
        slow.push(letter.isSlow === true);
      }
      return slow;
    };
    const everyone = Array.from({ length: 40 }, (_, n) => `Reader ${n}`);

    test("keeps one connection at a time, once nearly each message is compiled", async () => {
      const slow = await composeAll(`<p>{{ contact.firstName | size }}</p>${LONG}`, everyone);
      expect(slow).not.toContain(true);
      const html = `{% assign n = contact.firstName | split: " " | last | plus: 0 %}{% for m in (1..n) %}-{% endfor %}`;
      expect((await composeAll(html + LONG, everyone)).at(-1)).toBe(true);
    });

    test("is made in a thread each time where much text stands in lines with a value, which are wrapped for each", async () => {
      const words = "Bonjour le monde ! ".repeat(5_000);
      const { compose, compiled, letter } = letterFor(
        `<p>Dear {{ contact.firstName }} ${words}</p>`,
        NAMES,
        inPlace,
      );
      const said = await compose(2);
      expect(said.includes("Dear Grace Bonjour")).toBe(true);
      await compose(3);
      expect([compiled.times, letter.isSlow]).toEqual([3, true]);
    });

    test("is compiled once where the same text stands in lines of its own", async () => {
      const words = "<p>Bonjour le monde ! </p>".repeat(5_000);
      const { compose, compiled } = letterFor(`<p>Dear {{ contact.firstName }}</p>${words}`, NAMES, inPlace);
      for (let number = 1; number <= NAMES.length; number++) await compose(number);
      expect(compiled.times).toBe(1);
    });

    test("has all connections again where most messages share a letter", async () => {
      const html = `{% assign n = contact.firstName | split: " " | last | plus: 0 %}{% if n < 20 %}{% for m in (1..n) %}-{% endfor %}{% endif %}`;
      const slow = await composeAll(html + LONG, everyone);
      expect([slow[19], slow.at(-1)]).toEqual([true, false]);
    });
  });

  test("is the same at a second attempt", async () => {
    const { compose } = letterFor(CONTENT.html);
    const first = await compose(2);
    await compose(1);
    expect(await compose(2)).toBe(first);
  });

  test("is compiled for each person where a value decides how the page is read", async () => {
    const html = '<p>x</p><a href="{{ contact.firstName }}">go</a>';
    const { compose, saved } = letterFor(html, ["https://example.org/a", "mailto:a@example.org"]);
    expect(await compose(1)).toContain("mail.example.org/c/");
    expect(await compose(2)).not.toContain("mail.example.org/c/");
    expect(saved).toEqual([["https://example.org/a"], []]);
  });

  test("keeps each person's own links", async () => {
    const { compose, saved } = letterFor('<a href="https://example.org/{{ contact.firstName }}">go</a>');
    for (const number of [1, 2]) await compose(number);
    expect(saved).toEqual([["https://example.org/Ada"], ["https://example.org/Grace"]]);
  });

  test("says so where the contact was deleted or the template fails", async () => {
    expect(await letterFor("<p>x</p>").compose(9)).toContain("The contact was deleted");
    expect(await letterFor("{{ x | nope }}").compose(1)).toContain("cannot be used");
  });
});

describe("compiled letters are kept", () => {
  const letter = null;

  test("by mailing and by the text around the values, whatever these are", () => {
    const shapes = letterShapes();
    shapes.add(1, ["<p>", { value: "Ada" }, "</p>"], letter);
    expect(shapes.find(1, ["<p>", { value: "Grace" }, "</p>"])).toBeDefined();
    expect(shapes.find(2, ["<p>", { value: "Ada" }, "</p>"])).toBeUndefined();
    expect(shapes.find(1, ["<p>", "Ada", "</p>"])).toBeUndefined();
    expect(shapes.find(1, ["<p>", { value: "Ada" }])).toBeUndefined();
  });

  test("up to a number for each mailing, and up to a size for all: the oldest go", () => {
    const shapes = letterShapes();
    for (let n = 0; n < 20; n++) shapes.add(1, [`${n}`], letter);
    const found = (mailing: number, text: string) => shapes.find(mailing, [text]) !== undefined;
    expect([found(1, "3"), found(1, "4"), found(1, "19")]).toEqual([false, true, true]);
    for (let mailing = 2; mailing < 12; mailing++) shapes.add(mailing, ["x".repeat(500_000)], letter);
    expect([found(1, "19"), found(3, "x".repeat(500_000)), found(11, "x".repeat(500_000))]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe("a letter for which the memory is short", () => {
  const full = {
    ok: false,
    refusal: { code: "VALIDATION_ERROR", message: "full", isPassing: true },
  } as const;
  const long = `<p>Dear {{ contact.firstName }}</p>${"<p>Some words</p>".repeat(200)}`;

  test("is tried again later, message by message, and then goes out", async () => {
    let isFull = true;
    const work: Pick<Work, "run"> = {
      run: async (...job) => (isFull ? full : await inPlace.run(...job)),
    };
    const { compose, compiled } = letterFor(long, NAMES, work);
    expect(compose(1)).rejects.toBeInstanceOf(WorkLate);
    await new Promise(setImmediate);
    isFull = false;
    expect(await compose(1)).toContain("Dear Ada");
    expect(await compose(2)).toContain("Dear Grace");
    expect(compiled.times).toBe(2);
  });

  test.each([
    ["HTML", "html" as const, long.replace("{{ contact.firstName }}", "all")],
    ["MJML", "mjml" as const, "<mjml><mj-body></mj-body></mjml>"],
  ])(
    "is taken up again after a pause where it is the same for all (%s), and at last refused",
    async (_, format, html) => {
      const clock = manualClock();
      const asked: string[] = [];
      let isFull = true;
      const work: Pick<Work, "run"> = {
        run: async (workspaceId, name, input) => {
          asked.push(name);
          return isFull ? full : await inPlace.run(workspaceId, name, input);
        },
      };
      const content = { ...CONTENT, html, subject: "Hi", options: { ...PLAIN_LETTER, format } };
      const ledger = {
        content: async () => content,
        saveContent: async () => undefined,
        saveLinks: async () => undefined,
      };
      const source = { secret: new Uint8Array(32), baseUrl: "https://mail.example.org", work };
      const letterOf = campaignLetters(ledger as never, source, clock);
      const late = (number: number) =>
        letterOf({ ...MAILING, number, kind: "campaign" }).catch((error: unknown) => error);
      expect(await late(1)).toBeInstanceOf(WorkLate);
      expect(await late(1)).toBeInstanceOf(WorkLate);
      expect(asked).toHaveLength(1);
      clock.advance(MINUTE_MS);
      expect(await late(1)).toBeInstanceOf(WorkLate);
      expect(asked).toHaveLength(2);
      isFull = false;
      expect(await late(2)).toHaveProperty("compose");
      isFull = true;
      clock.advance(MINUTE_MS);
      const given = (await late(1)) as Letter;
      const message = { number: 1, address: "a@example.org", attempts: 0, firstAttemptAt: null };
      expect(await given.compose(message as never, 0)).toEqual(full);
    },
  );
});
