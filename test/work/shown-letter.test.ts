import { afterAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import { letterCheck, letterFaultsOf } from "#deliveries/letters/letter-check.ts";
import { EXAMPLE_PERSON } from "#deliveries/letters/letter-values.ts";
import { shownLetter } from "#deliveries/letters/shown-letter.ts";
import { readToken } from "#deliveries/token.ts";
import { PLAIN_LETTER, type LetterOptions } from "#mail/letter/letter-options.ts";
import { startJobThread } from "#threads.ts";
import { workPool } from "#work/pool.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";

const work = workPool({ startThread: startJobThread, clock: systemClock, log: SILENT_LOG });
afterAll(() => work.stop());

const options = (change: Partial<LetterOptions>): LetterOptions => ({
  ...PLAIN_LETTER,
  personalize: true,
  ...change,
});

describe("what of a letter does not compile", () => {
  const faultsIn = letterFaultsOf(work);
  const html = "<p>fine</p>";

  test.each([
    ["nothing", { subject: "Hi", html, options: options({}) }, []],
    ["Liquid of the subject", { subject: "{{ x | nope }}", html, options: options({}) }, [["subject", 1, 1]]],
    [
      "Liquid of the body",
      { subject: "Hi", html: "<p>\n  {% if %}", options: options({}) },
      [["body", 2, 8]],
    ],
    [
      "Liquid of preheader and text",
      { subject: "Hi", html, options: options({ preheader: "{{ a | b }}", text: "\n{% c %}" }) },
      [
        ["preheader", 1, 1],
        ["text", 2, 1],
      ],
    ],
    [
      "not without personalize",
      { subject: "{{ x | nope }}", html: "{% if %}", options: options({ personalize: false }) },
      [],
    ],
    [
      "MJML",
      {
        subject: "Hi",
        html: "<mjml><mj-body>\n<mj-nope></mj-nope></mj-body></mjml>",
        options: options({ format: "mjml" }),
      },
      [["body", 2, 1]],
    ],
    [
      "text that is no MJML",
      { subject: "Hi", html: "Hello", options: options({ format: "mjml" }) },
      [["body", 1, 1]],
    ],
    [
      "Liquid in MJML, where its author wrote it",
      {
        subject: "Hi",
        html: "<mjml><mj-body>\n\n{{ x | nope }}</mj-body></mjml>",
        options: options({ format: "mjml" }),
      },
      [["body", 3, 1]],
    ],
  ] as const)("%s", async (_, letter, expected) => {
    const faults = await faultsIn("ws_1", letter);
    expect(faults.map(({ part, line, column }): unknown => [part, line, column])).toEqual([...expected]);
    const refusal = await letterCheck(faultsIn)("ws_1", letter);
    expect(refusal?.code ?? null).toBe(expected.length === 0 ? null : "VALIDATION_ERROR");
    for (const [part, line, column] of expected) {
      expect(refusal?.message).toContain(`The ${part} cannot be used`);
      if (line !== null) expect(refusal?.message).toContain(`line ${line}, column ${column}`);
    }
  });
});

test("a refusal for want of memory passes, and is no fault of the letter", async () => {
  const refusal = {
    code: "VALIDATION_ERROR",
    message: "It takes too much memory.",
    isPassing: true,
  } as const;
  const faultsIn = letterFaultsOf({ run: async () => ({ ok: false, refusal }) });
  const letter = { subject: "Hi", html: "<p>fine</p>", options: options({}) };
  expect(await letterCheck(faultsIn)("ws_1", letter)).toMatchObject({ code: refusal.code, isPassing: true });
});

describe("a letter for one person", () => {
  const source = { secret: new Uint8Array(32), baseUrl: "https://mail.example.org", work };
  const content: MailingContent = {
    subject: "Hello {{ contact.firstName }}",
    html: '<p>Dear {{ contact.firstName }} & {{ contact.attributes.none }}</p><a href="{{ unsubscribeUrl }}">bye</a>',
    from: { name: "Ada", address: "ada@example.org" },
    replyTo: null,
    workspaceName: "Engines",
    mailingAddress: "1 Way",
    list: null,
    trackOpens: true,
    trackClicks: true,
    options: options({ preheader: 'For "{{ contact.firstName }}"' }),
    campaign: { name: "Spring" },
  };
  const mailing = { workspaceId: "ws_1", kind: "campaign", sourceId: "cmp_1" } as const;
  const person = { number: 0, address: "alex@example.com", person: EXAMPLE_PERSON };

  test("is the message that a send would make, and its parts are read from it", async () => {
    const made = unwrap(await shownLetter(source, mailing, content, person, 0));
    expect(made.subject).toBe("Hello Alex");
    expect(made.preheader).toBe('For "Alex"');
    expect(made.html).toContain("<p>Dear Alex & </p>");
    expect(made.text).toContain("Dear Alex");
    expect(made.sizeBytes).toBe(made.message.bytes.length);
    const token = /\/u\/([\w-]{22})">bye/.exec(made.html)![1]!;
    expect(readToken(source.secret, "unsubscribe", token)).toBe(0);
  });

  test("is compiled where it is MJML, and refused where it cannot be made", async () => {
    const html =
      "<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ contact.firstName }}</mj-text></mj-column></mj-section></mj-body></mjml>";
    const mjml = { ...content, html, options: options({ format: "mjml" }) };
    expect(unwrap(await shownLetter(source, mailing, mjml, person, 0)).html).toContain("Dear Alex");
    for (const change of [
      { ...mjml, html: "no" },
      { ...content, html: "{% if %}" },
      { ...content, subject: " " },
    ])
      expect((await shownLetter(source, mailing, change, person, 0)).ok).toBeFalse();
  });

  test("without personalize is as it was written", async () => {
    const plain = { ...content, options: options({ personalize: false, preheader: "A & {{ b }}" }) };
    const made = unwrap(await shownLetter(source, mailing, plain, person, 0));
    expect([made.subject, made.preheader]).toEqual(["Hello {{ contact.firstName }}", "A & {{ b }}"]);
    expect(made.html).toContain("<p>Dear {{ contact.firstName }} & ");
  });

  test("is read in a thread where it is long: its answer holds nobody up", async () => {
    const long = { ...content, html: `${content.html}${"<p>Äpfel = words</p>\n".repeat(300)}` };
    const inThreads: string[] = [];
    const watched = workPool({
      startThread: () => {
        const thread = startJobThread();
        const post = thread.postMessage.bind(thread);
        return Object.assign(thread, {
          postMessage(order: { name: string }, transfer: Bun.Transferable[]) {
            inThreads.push(order.name);
            post(order, transfer);
          },
        });
      },
      clock: systemClock,
      log: SILENT_LOG,
    });
    const made = unwrap(await shownLetter({ ...source, work: watched }, mailing, long, person, 0));
    watched.stop();
    expect(inThreads).toContain("messageTexts");
    expect(made.html.match(/<p>Äpfel = words<.p>/g)).toHaveLength(300);
    expect(made.text).toContain("Äpfel = words");
    expect(made.sizeBytes).toBe(made.message.bytes.length);
  });
});
