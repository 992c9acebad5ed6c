import { afterAll, describe, expect, test } from "bun:test";
import { Liquid } from "liquidjs";
import { systemClock } from "#core/time/clock.ts";
import { escapeHtml } from "#core/text/html-escape.ts";
import { letterShapes } from "#deliveries/letters/letter-shapes.ts";
import { campaignScope, readerUrls, type LetterValues } from "#deliveries/letters/letter-values.ts";
import { personalLetter } from "#deliveries/letters/personal-letter.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import { recipientOf } from "#deliveries/letter.ts";
import { tokensOf } from "#deliveries/token.ts";
import { plainPreheader } from "#mail/letter/slots/liquid-letter.ts";
import { writeMarketing } from "#mail/letter/marketing/marketing-letter.ts";
import { readyMarketing } from "#mail/letter/marketing/marketing-message.ts";
import { asciiText } from "#mail/mime/ascii.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { workPool } from "#work/pool.ts";
import { startJobThread } from "#threads.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { decodedPart } from "../../support/sending/marketing-fixture.ts";
import { naughtyStrings } from "../../support/common/corpora.ts";
import { dice } from "../../support/common/dice.ts";

const SECRET = new Uint8Array(32).fill(7);
const BASE_URL = "https://mail.example.org";
const MAILING = { number: 1, workspaceId: "ws_1", kind: "campaign", sourceId: "cmp_1" } as const;
const DATE = Date.UTC(2026, 10, 22, 9, 30);
/** In each of the five sorts of letters: 2,000 messages together. */
const COUNT = 400;

/** The letter that all messages are made of: holes in every sort of place, and Liquid that is more. */
const SUBJECT =
  "{{ contact.firstName }}, {{ campaign.name }} {% if contact.tags contains 'vip' %}for you{% endif %}";
const PREHEADER = "For {{ contact.firstName | default: 'you' }} & \"all\" of <{{ contact.attributes.city }}>";
const HOLES = `<html><body class="x"><h1 title="{{ contact.lastName }}">Hello {{ contact.firstName | default: "friend" }}</h1>
<p>Dear {{ contact.firstName }} {{ contact.lastName }} of {{contact.attributes.city}}, ${"we write a lot. ".repeat(60)}{{ contact.attributes.city }}
<a href="https://shop.example.org/{{ contact.attributes.city }}?to={{ contact.email }}&amp;x=1#top">shop</a>
<a href="https://shop.example.org/news?utm_source=own">news</a> <img src="a.png" alt="{{ contact.firstName }}"></p>
<!-- {{ contact.lastName }} --><p>Grüße, {{ campaign.name }}.
<a href="{{ webVersionUrl }}">view</a> <a href='{{ unsubscribeUrl }}'>bye</a> <a href="{{ preferencesUrl }}?a=1">choose</a></p>`;
const MORE = `${HOLES}{% if contact.tags contains "vip" %}<p>VIP {{ contact.firstName | upcase }}</p>{% else %}<p>Hi</p>{% endif %}
<ul>{% for tag in contact.tags %}<li>{{ forloop.index }} {{ tag }}</li>{% endfor %}</ul>{% assign c = contact.attributes.city | escape %}{{ c }}{{ "now" | date: "%Y-%m-%d" }}`;
const TEXT =
  "Hello {{ contact.firstName }},\n\n{{ contact.attributes.city }}{% for t in contact.tags %}\n- {{ t }}{% endfor %}\n\n  {{ unsubscribeUrl }}\n.\nFrom us\n";

const NAUGHTY = [
  ...naughtyStrings(),
  "",
  " ",
  "\r\nBcc: eve@example.org\r\n\r\n",
  "{{ contact.email }}{% raw %}",
  "</p></body></html><script>",
  "\"'><img src=x onerror=alert(1)>",
  "\u202eevil\u202c العربية",
  "\ud83d",
  "\uE000\uE103\uE001",
  "=3D=\r\n.",
  "\n.\r\n",
  "&utm_source=mine#frag",
  "a\r",
  "x".repeat(1_000),
];

const throwDice = dice(16_022);
/** A string of the corpus, or an ordinary one. */
const word = (): string =>
  throwDice.roll(3) === 0
    ? throwDice.pick(["Ada", "Grace", "Äpfel", "Østergård", "李"])
    : throwDice.pick(NAUGHTY);
const PEOPLE: LetterValues[] = Array.from({ length: COUNT }, (_, index) => ({
  email: `reader${index}@example.com`,
  firstName: word(),
  lastName: word(),
  tags: Array.from({ length: throwDice.roll(3) }, () => throwDice.pick(["vip", word()])),
  attributes: { city: word() },
}));

/** Liquid as its library has it, with the escaping that HTML needs and nothing else of ours. */
const alone = (escape: (text: string) => string) =>
  new Liquid({
    ownPropertyOnly: true,
    timezoneOffset: 0,
    outputEscape: (value: unknown) =>
      value === null || value === undefined
        ? ""
        : escape(typeof value === "string" ? value : JSON.stringify(value)),
  });
const [inHtml, inText] = [alone(escapeHtml), alone((text) => text)];
// A value that `escape` has escaped is not escaped again.
inHtml.registerFilter("escape", (value: unknown) => value);

const content = (html: string, more: Partial<MailingContent["options"]> = {}): MailingContent => ({
  subject: SUBJECT,
  html,
  from: { name: "Ada", address: "ada@example.org" },
  replyTo: null,
  workspaceName: "Engines",
  mailingAddress: "1 Way",
  list: { id: "lst_1", name: "Readers" },
  trackOpens: true,
  trackClicks: true,
  options: {
    format: "html",
    personalize: true,
    preheader: PREHEADER,
    text: null,
    utm: { source: "news letter", medium: "email", campaign: "spring&more" },
    ...more,
  },
  campaign: { name: "Spring <sale>" },
});

const work = workPool({ startThread: startJobThread, clock: systemClock, log: SILENT_LOG });
afterAll(() => work.stop());

/** The way of a send: compiled once, filled in for each. */
function fastLetter(of: MailingContent) {
  const links = new Map<number, readonly string[]>();
  const letter = personalLetter(MAILING, of, {
    secret: SECRET,
    baseUrl: BASE_URL,
    work,
    shapes: letterShapes(),
    needsPeople: false,
    hasReaderUrls: true,
    inTurn: async (make) => make(),
    valuesFor: async ({ number }) => ({ scope: scopeOf(number), kept: null }),
    keep: async ({ number }, kept) => void links.set(number, kept.links.urls),
  });
  return { letter, links };
}

const scopeOf = (number: number) =>
  campaignScope(
    PEOPLE[number - 1]!,
    "Spring <sale>",
    readerUrls(BASE_URL, tokensOf(SECRET, number).unsubscribe),
  );

/** The same message from a letter that Liquid alone filled in, whole. */
function slowMessage(of: MailingContent, number: number) {
  const scope = { ...scopeOf(number) };
  const subject = inText.parseAndRenderSync(of.subject, scope);
  const html = inHtml.parseAndRenderSync(of.html, scope).replaceAll(/\d{4}-\d\d-\d\d$/g, "2026-11-22");
  const preheader = inText.parseAndRenderSync(of.options!.preheader, scope);
  const text = of.options!.text === null ? null : inText.parseAndRenderSync(of.options!.text, scope);
  const { options, campaign: _, ...frame } = of;
  const template = {
    ...frame,
    subject: subject
      .toWellFormed()
      .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
      .trim(),
    html: [html],
    preheader: preheader.trim() === "" ? [] : plainPreheader(preheader),
    text: text === null ? null : [text],
    utm: options!.utm,
    workspaceId: "ws_1",
    feedbackId: "cmp_1:ws_1:campaign:postrider",
    baseUrl: BASE_URL,
  };
  const whole = readyMarketing(template, writeMarketing(template)!);
  const composed = whole.compose(recipientOf(SECRET, of, owed(number), DATE));
  // A name of a thousand characters makes a subject that is too long.
  return { links: whole.links([]), composed, ok: composed.ok && [...template.subject].length < 1_000 };
}

const owed = (number: number) => ({
  number,
  address: PEOPLE[number - 1]!.email,
  attempts: 0,
  firstAttemptAt: null,
  checkedAt: null,
});

/** A decoded message. Its boundary is made of the letter's text, and the parts may be encoded in two ways. */
function read(raw: string) {
  const fields = raw.slice(0, raw.indexOf("\r\nContent-Type: multipart"));
  return { fields, text: decodedPart(raw, 0), html: decodedPart(raw, 1) };
}

describe(`${5 * COUNT} personal messages are what Liquid alone makes of the whole letter`, () => {
  test.each([
    ["holes", content(HOLES)],
    ["conditions and loops", content(MORE)],
    ["an own text part", content(HOLES, { text: TEXT })],
    ["untracked links with utm", { ...content(HOLES), trackClicks: false }],
    ["untracked links without utm", { ...content(MORE, { utm: null }), trackClicks: false }],
  ] as const)(
    "%s",
    async (_, of) => {
      const { letter, links } = fastLetter(of);
      for (let number = 1; number <= COUNT; number++) {
        const [fast, slow] = [await letter.compose(owed(number), DATE), slowMessage(of, number)];
        expect([number, fast.ok]).toEqual([number, slow.ok]);
        if (!fast.ok || !slow.composed.ok) continue;
        const raw = asciiText(fast.value.bytes);
        expect(checkMessage(raw, owed(number).address).ok).toBeTrue();
        const [ours, theirs] = [read(raw), read(asciiText(slow.composed.value.bytes))];
        expect(ours.html).toBe(theirs.html);
        expect(ours.fields).toBe(theirs.fields);
        expect(ours.text).toBe(theirs.text);
        expect(links.get(number)).toEqual(slow.links);
        fast.value.release?.();
        slow.composed.value.release?.();
      }
    },
    600_000,
  );
});
