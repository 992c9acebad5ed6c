import { describe, expect, test } from "bun:test";
import { readinessOf } from "#console/ui/screens/campaign/sending/readiness.ts";
import { markedLinks } from "#console/ui/screens/report/marked-links.ts";
import { paceOf, withSample, type Sample } from "#console/ui/screens/report/pace.ts";

const LINKS = [
  { url: "https://shop.example.org/a?b=1&c=2", clicks: 1_204 },
  { url: "https://shop.example.org/", clicks: 0 },
];
const plain = (html: string): string =>
  markedLinks(html, LINKS, String).replaceAll(
    /<span(?: id="[^"]*")? class="[^"]*" style="[^"]*">(\d+)<\/span>/g,
    "[$1]",
  );

describe("clicks on the links of a letter", () => {
  test.each([
    [`<a href="https://shop.example.org/">x</a>`, `<a href="https://shop.example.org/">x</a>[0]`],
    [
      `<a href='https://shop.example.org/a?b=1&amp;c=2'><b>x</b></a >.`,
      `<a href='https://shop.example.org/a?b=1&amp;c=2'><b>x</b></a >[1204].`,
    ],
    [`<A HREF=" https://shop.example.org/ ">x</A>`, `<A HREF=" https://shop.example.org/ ">x</A>[0]`],
    [
      `<a href="https://other.example.org/">x</a><a name="x">y</a>`,
      `<a href="https://other.example.org/">x</a><a name="x">y</a>`,
    ],
    [`<a href="https://shop.example.org/">not closed`, `<a href="https://shop.example.org/">not closed`],
    [
      `<!-- <a href="https://shop.example.org/">x</a> -->`,
      `<!-- <a href="https://shop.example.org/">x</a> -->`,
    ],
    ["", ""],
  ])("%s", (html, marked) => expect(plain(html)).toBe(marked));

  test("each link of one address has its number, and nothing else of the letter changes", () => {
    const html = `<p>a</p><a href="https://shop.example.org/">1</a><p>b</p><a href="https://shop.example.org/">2</a>`;
    expect(plain(html).replaceAll("[0]", "")).toBe(html);
    expect(plain(html).match(/\[0\]/g)).toHaveLength(2);
  });
});

describe("the pace of a send", () => {
  const samples = (...of: [number, number][]): readonly Sample[] =>
    of.reduce<readonly Sample[]>((all, [atMs, done]) => withSample(all, { atMs, done }), []);

  test("is what went out between what was seen, a second", () => {
    expect(paceOf(samples([0, 0], [1_000, 50], [2_000, 100]))).toBe(50);
  });
  test("looks at the last half minute only", () => {
    expect(paceOf(samples([0, 0], [60_000, 6_000], [70_000, 6_010]))).toBe(1);
  });
  test("is not known before two moments, nor while nothing goes out", () => {
    expect(paceOf(samples())).toBeNull();
    expect(paceOf(samples([0, 5]))).toBeNull();
    expect(paceOf(samples([0, 5], [1_000, 5]))).toBeNull();
  });
});

describe("why a letter cannot go out", () => {
  const words = {
    subjectMissing: "subject",
    bodyMissing: "body",
    noAudience: "audience",
    emptyList: "empty list",
    noAddress: "address",
    noSender: "sender",
    nobodyLeft: "nobody",
    waitsForSave: "save",
  };
  const draft = {
    name: "a",
    subject: "b",
    body: "c",
    listId: "list_1",
    format: "html" as const,
    personalize: true,
    preheader: "",
    text: null,
    fromName: null,
    fromEmail: null,
    replyTo: null,
    segmentId: null,
    excludeListIds: [],
    excludeSegmentIds: [],
    trackOpens: null,
    trackClicks: null,
  };
  const settings = { mailingAddress: "1 Rider Street", fromEmail: "news@example.com" };
  const check = { recipients: 5, skipped: {}, refusal: null, estimatedSeconds: 1 };
  const good = { draft, check, settings, isUnsaved: false, isEmptyList: false };

  test("nothing stands in the way", () => {
    expect(readinessOf(good, words)).toEqual({ recipients: 5, isOff: false, why: null });
  });

  test.each([
    ["subject", { draft: { ...draft, subject: " " } }],
    ["body", { draft: { ...draft, body: "\n" } }],
    ["audience", { draft: { ...draft, listId: null } }],
    ["address", { settings: { ...settings, mailingAddress: "" } }],
    ["sender", { settings: { ...settings, fromEmail: "" } }],
    [
      "quiet hours until 07:00",
      { check: { ...check, refusal: { code: "X", message: "quiet hours until 07:00" } } },
    ],
    ["empty list", { isEmptyList: true, check: { ...check, recipients: 0 } }],
    ["nobody", { check: { ...check, recipients: 0 } }],
    ["save", { isUnsaved: true }],
  ])("%s: off, and it says so", (why, change) => {
    expect(readinessOf({ ...good, ...change }, words)).toMatchObject({ isOff: true, why });
  });

  test("off without a word while it is still counted", () => {
    expect(readinessOf({ ...good, check: undefined }, words)).toEqual({
      recipients: 0,
      isOff: true,
      why: null,
    });
  });

  test("a sender of the campaign's own will do", () => {
    const own = {
      ...good,
      draft: { ...draft, fromEmail: "me@example.com" },
      settings: { ...settings, fromEmail: "" },
    };
    expect(readinessOf(own, words).isOff).toBe(false);
  });
});
