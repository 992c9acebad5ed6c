import { describe, expect, test } from "bun:test";
import { redo, startHistory, stepHistory, undo } from "#console/ui/parts/saving/history.ts";
import { readTree } from "#console/ui/letter/source-tree.ts";
import { attributeOf, tagOf, withAttribute } from "#console/ui/letter/tag.ts";
import { isRichText, shownRichText, writtenRichText } from "#console/ui/letter/rich-text.ts";
import { removeSocial, setSocial, socialEntries } from "#console/ui/letter/edit-letter.ts";
import { firstLetter, firstWordsIn } from "#console/ui/letter/first-letter.ts";
import { columnsOf, type Letter } from "#console/ui/letter/letter.ts";
import { wholeAddress } from "#console/ui/letter/whole-address.ts";
import { readLetter } from "#console/ui/letter/read-letter.ts";
import { writeLetter } from "#console/ui/letter/write-letter.ts";
import { de } from "#console/ui/texts/de/index.ts";
import { en } from "#console/ui/texts/en/index.ts";
import { WITH_CONTENT } from "#mail/html/mjml/mjml-elements.ts";

test("the content of the same elements is left as it is as on the server", () => {
  const containers =
    "mj-body mj-section mj-column mj-group mj-wrapper mj-hero mj-navbar mj-social mj-accordion";
  const names = [...WITH_CONTENT, ...containers.split(" "), "mj-accordion-element", "mj-head"];
  // An open element in it is no fault only where nobody reads it.
  const known = names.filter((name) => readTree(`<mjml><${name}><p></${name}></mjml>`) !== null);
  expect(known).toEqual([...WITH_CONTENT]);
});

test("the words of a new letter are found in every language, until they are written over", () => {
  for (const { campaigns } of [en, de])
    for (const beginning of ["blocks", "source"] as const) {
      const { body } = firstLetter(beginning, campaigns);
      const place = firstWordsIn(body);
      const line = body.split("\n")[(place?.line ?? 0) - 1] ?? "";
      const words = line.slice((place?.column ?? 0) - 1).replace(/<.*/, "");
      expect(words).not.toBe("");
      expect(firstWordsIn(body.replace(words, "The harvest is in."))).toBe(null);
    }
});

test("an address that people type as into a browser is made whole; any other stays", () => {
  expect(["www.example.com", " example.com/a?b=c ", "ada@example.com"].map(wholeAddress)).toEqual([
    "https://www.example.com",
    "https://example.com/a?b=c",
    "mailto:ada@example.com",
  ]);
  const whole = [
    "www.müller.de/shop",
    "example.xn--p1ai",
    "www.example.com:8080",
    "www.example.com/?city={{ contact.city | url_encode }}",
  ];
  expect(whole.map(wholeAddress)).toEqual(whole.map((typed) => `https://${typed}`));
  expect(wholeAddress("ada@müller.de?subject=Hello you")).toBe("mailto:ada@müller.de?subject=Hello you");
  const others = [
    "https://example.com",
    "tel:+49 221 1",
    "#top",
    "{{ unsubscribeUrl }}",
    "https://x/{{ a }}",
    "HTTPS://EXAMPLE.COM",
    "com.example.shop://basket/1",
    "com.example.shop:basket",
    "{{ contact.shop }}.example.com",
    "/shop",
    "",
  ];
  expect(others.map(wholeAddress)).toEqual(others);
});

describe("undo and redo", () => {
  test("each step can be taken back and done again; a new step forgets what was taken back", () => {
    let history = startHistory("a");
    history = stepHistory(history, "b", null);
    history = stepHistory(history, "c", null);
    expect(undo(history).present).toBe("b");
    expect(undo(undo(history)).present).toBe("a");
    expect(undo(undo(undo(history))).present).toBe("a");
    expect(redo(undo(history)).present).toBe("c");
    expect(redo(history)).toBe(history);
    const other = stepHistory(undo(history), "d", null);
    expect(redo(other).present).toBe("d");
    expect(undo(other).present).toBe("b");
  });

  test("typing on in one place is one step; the same value is none", () => {
    let history = startHistory("");
    for (const text of ["H", "He", "Hel"]) history = stepHistory(history, text, "text 1");
    history = stepHistory(history, "Hel", "text 1");
    expect(undo(history).present).toBe("");
    history = stepHistory(history, "Hel!", "text 2");
    expect(undo(history).present).toBe("Hel");
  });

  test("after an undo, typing in the same place is a step of its own", () => {
    let history = stepHistory(startHistory(""), "a", "text 1");
    history = stepHistory(history, "b", "text 2");
    history = stepHistory(undo(history), "c", "text 2");
    expect(undo(history).present).toBe("a");
  });

  test("two hundred steps are kept", () => {
    let history = startHistory(0);
    for (let step = 1; step <= 500; step++) history = stepHistory(history, step, null);
    for (let step = 0; step < 500; step++) history = undo(history);
    expect(history.present).toBe(300);
  });
});

describe("an attribute of a block", () => {
  const imageWith = (alt: string) => {
    const source = `<mjml><mj-body><mj-section><mj-column><mj-image alt="${alt}" /></mj-column></mj-section></mj-body></mjml>`;
    const [row] = (readTree(source) as any)[0].children[0].children;
    return tagOf(source, row.children[0].children[0]);
  };

  test.each([
    ["Sch&ouml;ne Gr&uuml;&szlig;e", "Schöne Grüße"],
    ["a&#8239;&#x20AC;&nbsp;b&hellip;", "a\u{202f}€\u{a0}b…"],
    ["Tom &amp; Jerry, &lt;b&gt; &quot;x&quot; &#39;y&apos;", `Tom & Jerry, <b> "x" 'y'`],
    // No references: a browser shows them as they are.
    ["?a=1&copy=2&unknown;&notit;", "?a=1&copy=2&unknown;&notit;"],
    ["&amp;ouml;", "&ouml;"],
  ])("%s is read as what a reader sees, and is still that when a letter is added", (raw, seen) => {
    const tag = imageWith(raw);
    expect(attributeOf(tag, "alt")).toBe(seen);
    expect(withAttribute(tag, "alt", seen)).toBe(tag);
    const { written } = withAttribute(tag, "alt", `${seen}!`);
    const [, again = ""] = /alt="([^"]*)"/.exec(written) ?? [];
    expect(attributeOf(imageWith(again), "alt")).toBe(`${seen}!`);
  });
});

describe("rich text", () => {
  test.each([
    "Hello",
    '<p>Hello <strong>you</strong>, <em>and</em> <a href="{{ webVersionUrl }}">more</a></p><ul><li>a<br></li></ul>',
    "{% if contact.firstName %}Dear {{ contact.firstName }}{% endif %}",
    "a &amp; b &lt; c",
    "a < b",
    "{% if a > 3 and b < 3 %}x{% endif %}",
    "<p>{% if vip %}a</p><p>b{% endif %}</p>",
    "<ul>\n<li>{% if vip %}a{% endif %}</li>\n<li>b<ul><li>c</li></ul></li>\n</ul>",
    "{{ name }}<p>a</p>",
    "<ul><li><p>a</p><h2>b</h2></li><li><b>c</b><ol><li>d</li></ol></li></ul>",
    "<p>a<ul><li>b<li>c</ul><h2>d</h2>",
    "<ul><li>a</li><ul><li>b</li></ul></ul>",
    "<blockquote><h2>a</h2><ul><li>b</li></ul></blockquote>",
  ])("is edited as text: %s", (html) => expect(isRichText(html)).toBe(true));

  test.each([
    `<p style="color: red">Hello</p>`,
    `<span>Hello</span>`,
    `<a href="https://example.com" class="x">a</a>`,
    `Hello<!-- a comment -->`,
    `{{ name | default: "<b>" }}`,
    `<table><tr><td>a</td></tr></table>`,
    `<constructor>`,
    `<img src="a.png">`,
    // The editor would make items and paragraphs of these tags: every reader would get empty ones.
    `<ul>{% for one in contact.attributes.items %}<li>{{ one }}</li>{% endfor %}</ul>`,
    `<ul><li>a</li>{% if vip %}\n<li>b</li>\n{% endif %}</ul>`,
    `<ol><b>{{ intro }}</b><li>a</li></ol>`,
    `{% if contact.firstName %}<p>a</p>{% else %}<p>b</p>{% endif %}`,
    `{% if vip %}Hello <em>{{ name }}</em><p>a</p>{% endif %}`,
    `<p>a</p>b {% if vip %}c{% endif %}`,
    `<blockquote>{% if vip %}<p>a</p>{% endif %}</blockquote>`,
    `<ul><li>{% if vip %}<p>a</p>{% endif %}</li></ul>`,
    // The editor would take these apart: the heading would stand behind the list, beside an empty item.
    `<ol><li><h3>a</h3>b</li></ol>`,
    `<ul><li> <ul><li>a</li></ul></li></ul>`,
    `<ul><li><blockquote>a</blockquote></li></ul>`,
    `<h2>a<p>b</p></h2>`,
    `<h2><ul><li>a</li></ul></h2>`,
  ])("is edited as HTML, so that nothing of it is lost: %s", (html) => expect(isRichText(html)).toBe(false));

  test("Liquid is written as it was typed, other text as HTML", () => {
    expect(
      writtenRichText(
        `<p>a &lt; b {% if x &lt; 3 &amp;&amp; y %}{{ z | default: &quot;q&quot; }}</p>`,
        "<p>",
      ),
    ).toBe(`<p>a &lt; b {% if x < 3 && y %}{{ z | default: "q" }}</p>`);
  });

  test("one line that had no paragraph gets none; more than one keeps them", () => {
    expect(writtenRichText("<p>Hello</p>", "Hi")).toBe("Hello");
    expect(writtenRichText("<p>Hello</p>", "<p>Hi</p>")).toBe("<p>Hello</p>");
    expect(writtenRichText("<p>a</p><p>b</p>", "a")).toBe("<p>a</p><p>b</p>");
    expect(writtenRichText("<p></p>", "a")).toBe("");
  });

  test("an empty line is seen in the mail, and is one line when it is edited again", () => {
    const shown = "<p>a</p><p></p><p></p><p>b</p>";
    const written = "<p>a</p><p><br></p><p><br></p><p>b</p>";
    expect(writtenRichText(shown, "a")).toBe(written);
    expect([isRichText(written), shownRichText(written)]).toEqual([true, shown]);
    // The editor's own line at the end is none of the author's.
    expect(writtenRichText("<ul><li><p>a</p></li></ul><p></p>", "<p>")).toBe(
      "<ul><li><p>a</p></li></ul><p></p>",
    );
  });
});

describe("social links", () => {
  const SOCIAL = `<mjml><mj-body><mj-section><mj-column><mj-social mode="vertical">
  <mj-social-element name="github" href="https://example.com/a?b=1&amp;c=2" color="red">Code</mj-social-element>
  <mj-social-element name='web' />
</mj-social></mj-column></mj-section></mj-body></mjml>`;
  const read = () => {
    const result = readLetter(SOCIAL);
    const block = result.ok ? columnsOf(result.letter)[0]?.blocks[0] : undefined;
    if (!result.ok || block?.kind !== "social") throw new Error("no social block");
    return { letter: result.letter, block, entries: socialEntries(block) };
  };

  test("are read by name, address and words, and the same ones write the same bytes", () => {
    const { letter, block, entries } = read();
    expect(entries).toEqual([
      { network: "github", href: "https://example.com/a?b=1&c=2", label: "Code" },
      { network: "web", href: "", label: "" },
    ]);
    const [first] = entries;
    if (!first) throw new Error("no entry");
    const next = setSocial(letter, block.id, [first]);
    expect(next && writeLetter(next)).toBe(SOCIAL.replace(`\n  <mj-social-element name='web' />`, ""));
  });

  test("a changed one keeps the attributes that the editor does not know; a new one follows", () => {
    const { letter, block } = read();
    const next = setSocial(letter, block.id, [
      { network: "github", href: "https://example.com/x", label: "Code" },
      { network: "web", href: "https://example.com", label: "Home" },
      { network: "x", href: "", label: "" },
    ]);
    expect(next && writeLetter(next)).toContain(`<mj-social mode="vertical">
  <mj-social-element name="github" href="https://example.com/x" color="red">Code</mj-social-element>
  <mj-social-element name='web' href="https://example.com">Home</mj-social-element>
  <mj-social-element name="x" href=""></mj-social-element>
</mj-social>`);
  });

  test("one that is removed leaves the others as they are, byte for byte", () => {
    const { letter, block } = read();
    const [first = "", second = ""] = SOCIAL.match(/\n\s*<mj-social-element[^\n]*/g) ?? [];
    expect(writeLetter(removeSocial(letter, block.id, 0))).toBe(SOCIAL.replace(first, ""));
    expect(writeLetter(removeSocial(letter, block.id, 1))).toBe(SOCIAL.replace(second, ""));
  });

  test("words keep the space that was typed last, and not the line breaks that lay out the source", () => {
    const { letter, block, entries } = read();
    const labelled = (source: Letter | null) => {
      const [again] = source ? (columnsOf(source)[0]?.blocks ?? []) : [];
      return again?.kind === "social" ? socialEntries(again).map(({ label }) => label) : null;
    };
    const [first, ...rest] = entries;
    if (!first) throw new Error("no entry");
    const typed = setSocial(letter, block.id, [{ ...first, label: "Our " }, ...rest]);
    expect(labelled(typed)).toEqual(["Our ", ""]);
    const laidOut = readLetter(SOCIAL.replace(">Code<", ">\n    Our code\n  <"));
    expect(labelled(laidOut.ok ? laidOut.letter : null)).toEqual(["Our code", ""]);
  });

  test("words that would end the element are refused", () => {
    const { letter, block } = read();
    expect(
      setSocial(letter, block.id, [{ network: "x", href: "", label: "</mj-social-element>" }]),
    ).toBeNull();
  });
});

describe("what is read from the right", () => {
  const HELLO = "שלום, עולם!";

  test("is marked so, block by block, by the first letter that is no tag, entity or Liquid", () => {
    const typed = `<p>${HELLO}</p><p></p><p>Hello!</p><ul><li><p>- {{ contact.firstName }}, <b>${HELLO}</b></p></li></ul>`;
    const written = `<p dir="rtl">${HELLO}</p><p><br></p><p>Hello!</p><ul dir="rtl"><li dir="rtl"><p dir="rtl">- {{ contact.firstName }}, <b>${HELLO}</b></p></li></ul>`;
    expect(writtenRichText(typed, "<p>")).toBe(written);
    expect([isRichText(written), shownRichText(written)]).toEqual([true, typed]);
    expect(writtenRichText(`<p>(2) ${HELLO}&nbsp;</p>`, "Hi")).toBe(`<p dir="rtl">(2) ${HELLO}&nbsp;</p>`);
    expect(writtenRichText("<p>Hello, עולם!</p>", "Hi")).toBe("Hello, עולם!");
  });

  test.each([
    '<p dir="rtl">Hello</p>',
    `<p dir="ltr">${HELLO}</p>`,
    `<p dir="rtl" class="x">${HELLO}</p>`,
    `<p dir="rtl"></p><p>${HELLO}</p>`,
  ])("a direction that somebody else chose is lost in no editor: %s", (html) =>
    expect(isRichText(html)).toBe(false),
  );
});
