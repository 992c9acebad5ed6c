import { describe, expect, spyOn, test } from "bun:test";
import { fillMail, liquidScope } from "#automations/mail/mail-content.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import { parseLiquid, type LiquidKind } from "#mail/liquid/liquid.ts";
import { ABOUT_ADA, ADA, ORDER } from "../../support/automations/flows.ts";
import { costMs } from "../../support/common/cpu-time.ts";

function filled(source: string, scope: Record<string, unknown> = {}, kind: LiquidKind = "html"): string {
  const template = parseLiquid(source, kind);
  if (!template.ok) return `PARSE ${template.refusal.message}`;
  const rendered = template.value.render(scope);
  return rendered.ok ? rendered.value : `RENDER ${rendered.refusal.message}`;
}

const HOSTILE = `<b>"Ada" & 'Co'</b>`;
const ESCAPED = "&lt;b&gt;&quot;Ada&quot; &amp; &#39;Co&#39;&lt;/b&gt;";

describe("values are HTML-escaped in HTML, raw in text, without line breaks in subjects", () => {
  test.each([
    ["html", "Hi {{ name }}", HOSTILE, `Hi ${ESCAPED}`],
    ["text", "Hi {{ name }}", HOSTILE, `Hi ${HOSTILE}`],
    ["line", "Hi {{ name }}", HOSTILE, `Hi ${HOSTILE}`],
    ["html", "<i>{{ name }}</i>", "a\nb", "<i>a\nb</i>"],
    ["text", "{{ name }}\n", "a\r\nb", "a\r\nb\n"],
    ["line", "Hi {{ name }}!", "a\r\nBcc: eve@example.com", "Hi a Bcc: eve@example.com!"],
    ["line", "\n Hi\n{{ name }} \n", "\u2028\0\u0085x", "Hi x"],
    ["line", "a\tb", "", "a b"],
    ["html", "{{ name }}", "\ud800", "\ufffd"],
  ] as [LiquidKind, string, string, string][])("%s %j with %j gives %j", (kind, source, name, expected) => {
    expect(filled(source, { name }, kind)).toBe(expected);
  });

  test.each([
    ["{{ name | escape }}", ESCAPED],
    ["{{ name | upcase }}", ESCAPED.toUpperCase().replaceAll(/&(\w+);/gi, (entity) => entity.toLowerCase())],
    ["{% capture x %}<p>{{ name }}</p>{% endcapture %}{{ x }}", `<p>${ESCAPED}</p>`],
    [
      "{% capture x %}{{ name }}{% endcapture %}{% capture y %}<i>{{ x }}</i>{% endcapture %}{{ y }}",
      `<i>${ESCAPED}</i>`,
    ],
    ["{% assign x = name %}{{ x }}", ESCAPED],
    ["{% echo name %}", ESCAPED],
    ["{% for c in list %}{{ c }}{% endfor %}", ESCAPED],
    ["{{ list }}", ESCAPED],
    ["{{ list | join: ' ' }}", ESCAPED],
    ["{{ list | first }}", ESCAPED],
    ["{{ missing | default: name }}", ESCAPED],
    ["{{ name | append: '<' }}", `${ESCAPED}&lt;`],
    ["{{ name | escape | append: '<' }}", `${ESCAPED}&lt;`],
    ["{% capture x %}<p>{{ name }}</p>{% endcapture %}{% echo x %}", `<p>${ESCAPED}</p>`],
    ["{% liquid echo name %}", ESCAPED],
    ["{% case 1 %}{% when 1 %}{{ name }}{% endcase %}", ESCAPED],
    [
      "{% tablerow c in list %}{{ c }}{% endtablerow %}",
      `<tr class="row1"><td class="col1">${ESCAPED}</td></tr>`,
    ],
  ])("no way around it: %s", (source, expected) => {
    expect(filled(source, { name: HOSTILE, list: [HOSTILE] })).toBe(expected);
  });

  test("line breaks of a value can be shown as such", () => {
    expect(filled("{{ a | newline_to_br }}", { a: "<x>\ny" })).toBe("&lt;x&gt;<br />\ny");
  });

  test.each([["{{ a | raw }}"], ["{% cycle a, 'b' %}"]])(
    "what would write past it does not exist: %s",
    (source) => {
      expect(filled(source, { a: HOSTILE })).toStartWith("PARSE ");
    },
  );
});

describe("unknown names are empty, values plain", () => {
  test.each([
    ["[{{ nobody }}]", "[]"],
    ["[{{ nobody.at.all[3] }}]", "[]"],
    ["[{{ n }}]", "[5]"],
    ["[{{ yes }}]", "[true]"],
    ["[{{ nil_value }}]", "[]"],
    ["[{{ o }}]", "[{&quot;a&quot;:1}]"],
    ["{% if nobody %}a{% else %}b{% endif %}", "b"],
    ["{{ s | size }} {{ s | upcase }}", "3 ABC"],
    ["{{ '2026-11-20T23:30:00Z' | date: '%Y-%m-%d %H:%M' }}", "2026-11-20 23:30"],
    ["{{ '2026-11-20T23:30:00Z' | date: '%d.%m.%Y %H:%M', 'Europe/Berlin' }}", "21.11.2026 00:30"],
  ])("%s gives %s", (source, expected) => {
    expect(filled(source, { n: 5, yes: true, nil_value: null, s: "abc", o: { a: 1 } })).toBe(expected);
  });
});

describe("a template reaches nothing but its data", () => {
  test.each([
    ["{{ constructor }}"],
    ["{{ __proto__ }}"],
    ["{{ a.constructor }}"],
    ["{{ a.__proto__ }}"],
    ["{{ a.toString }}"],
    ["{{ a['constructor'] }}"],
    ["{{ s.constructor }}"],
    ["{{ list.constructor }}"],
    ["{{ env }}{{ process }}{{ globalThis }}{{ Bun }}{{ require }}"],
  ])("%s is empty", (source) => {
    expect(filled(`[${source}]`, { a: {}, s: "x", list: [1] })).toBe("[]");
  });

  test.each([
    [`{{ constructor.constructor('return 1')() }}`],
    ["{% include 'package.json' %}"],
    ["{% render '/etc/passwd' %}"],
    ["{% layout 'package.json' %}"],
    ["{% block a %}{% endblock %}"],
    ["{{ list | where_exp: 'x', 'x' }}"],
    ["{{ list | find_exp: 'x', 'x' }}"],
    ["{{ list | group_by_exp: 'x', 'x' }}"],
    ["{{ a | no_such_filter }}"],
    ["{% no_such_tag %}"],
  ])("%s is refused", (source) => {
    expect(filled(source, { list: [1] })).toStartWith(
      "PARSE The Liquid template cannot be used in line 1, column ",
    );
  });

  test("a value that looks like a template is text", () => {
    const value = "{{ contact.email }}{% assign x = 1 %}";
    expect(filled("{{ v }}", { v: value, contact: { email: "ada@example.com" } }, "text")).toBe(value);
    expect(filled("{% assign w = v %}{{ w | append: v }}", { v: value }, "text")).toBe(value + value);
  });

  test("what one template assigns the next does not see", () => {
    expect(filled("{% assign x = 1 %}{% increment y %}{{ x }}")).toBe("01");
    expect(filled("[{{ x }}{{ y }}]")).toBe("[]");
  });

  test("it never changes its data", () => {
    const scope = { contact: { tags: ["b", "a"] }, n: 1 };
    const frozen = structuredClone(scope);
    filled("{{ contact.tags | sort | reverse | join }}{% assign contact = 1 %}{% increment n %}", scope);
    expect(scope).toEqual(frozen);
  });
});

describe("an error says where", () => {
  test.each([
    ["{% if a %}", "line 1, column 1"],
    ["ok\nok {{ a | nope }}", "line 2, column 4"],
    ["ok\n\n  {% unknown %}", "line 3, column 3"],
    ["{{ a ", "line 1, column 1"],
    ["{% for %}{% endfor %}", "line 1, column "],
    ["{% endif %}", "line 1, column 1"],
  ])("%j: %s", (source, place) => {
    const said = filled(source);
    expect(said).toStartWith("PARSE The Liquid template cannot be used");
    expect(said).toContain(place);
    expect(said).not.toMatch(/line:\d|node_modules|\n/);
  });
});

describe("limits", () => {
  test.each([
    ["a long range", "{% for i in (1..100000000) %}x{% endfor %}"],
    [
      "ranges in ranges",
      "{% for i in (1..9999) %}{% for j in (1..9999) %}{% for k in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}",
    ],
    ["much text in a loop", `{% for i in (1..100000) %}${"x".repeat(1000)}{% endfor %}`],
    [
      "text captured in a loop",
      `{% capture a %}{% for i in (1..100000) %}${"x".repeat(1000)}{% endfor %}{% endcapture %}`,
    ],
    [
      "loops over data in loops over data",
      `{% assign a = '${"x,".repeat(400)}' | split: ',' %}${"{% for i in a %}".repeat(5)}${"{% endfor %}".repeat(5)}`,
    ],
    [
      "text doubled again and again",
      `{% assign a = 'xxxxxxxxxxxxxxxx' %}${"{% assign a = a | append: a %}".repeat(40)}{{ a }}`,
    ],
    ["a wide number", "{{ 'now' | date: '%999999999d' }}"],
  ])("stop %s", async (_, source) => {
    let said = "";
    expect(await costMs(() => (said = filled(source)))).toBeLessThan(3_000);
    expect(said.slice(0, 100)).toStartWith("RENDER The Liquid template cannot be used");
  });

  test.each([
    ["open braces", "{{".repeat(50_000)],
    ["closed braces", "}}".repeat(50_000)],
    ["open tags", "{%".repeat(50_000)],
    ["blocks in blocks", "{% if a %}".repeat(20_000)],
    ["pipes", `{{ a ${"| upcase".repeat(20_000)} }}`],
    ["more than a MiB", "x".repeat(1024 * 1024 + 1)],
  ])("refuse or read in time %s", async (_, source) => {
    expect(await costMs(() => filled(source))).toBeLessThan(3_000);
  });

  test.each([
    ["many tags", "{{a}}".repeat(2_001)],
    ["much Liquid", `{{ a${" | upcase".repeat(8_000)} }}`],
  ])("refuse %s unread", (_, source) => {
    expect(filled(source)).toMatch(/^PARSE The Liquid template.* (?:Use fewer|Shorten them)\.$/);
    expect(filled("{{a}}".repeat(2_000), { a: "x" })).toBe("x".repeat(2_000));
  });

  test.each([
    ["has", "{% for i in (1..9999) %}{{ list | has: 'a', 'x' }}{% endfor %}"],
    ["sum", "{% for i in (1..9999) %}{{ list | sum: 'a' }}{% endfor %}"],
  ])("count what a filter only reads: %s", (_, source) => {
    const list = Array.from({ length: 1_000 }, (_entry, a) => ({ a }));
    expect(filled(source, { list })).toContain("it takes more steps than a letter may");
  });

  test("text captured in a loop counts in a text too", () => {
    const doubled = "{% capture a %}{{ a }}{{ a }}x{% endcapture %}".repeat(60);
    expect(filled(doubled, {}, "text")).toStartWith("RENDER The Liquid template cannot be used");
  });

  test("a machine that stands still makes no letter fail: no clock is looked at", () => {
    let now = performance.now();
    const clock = spyOn(performance, "now").mockImplementation(() => (now += 700));
    try {
      expect(filled("{% for i in (1..50) %}{{ i }},{% endfor %}")).toEndWith("49,50,");
    } finally {
      clock.mockRestore();
    }
  });

  test("where little is allowed, what needs more is no problem of the template", () => {
    const template = parseLiquid("{% for i in (1..20000) %}{{ i }}{% endfor %}", "html");
    if (!template.ok) throw new Error(template.refusal.message);
    expect(() => template.value.render({}, LITTLE)).toThrow(NeedsThread);
    expect(() => template.value.pieces({}, LITTLE)).toThrow(NeedsThread);
    expect(template.value.render({})).toMatchObject({ ok: true });
  });

  test("each rendering has its own values and its own allowance", () => {
    const template = parseLiquid('{{ a | default: "nobody" }} {{ b.size }} {{ c | upcase }}', "html");
    if (!template.ok) throw new Error(template.refusal.message);
    const { render } = template.value;
    const little = { stepsMax: 40, memoryMax: 20 };
    for (let n = 0; n < 50; n++) {
      expect(render({ a: `A${n}`, b: [n] }, little)).toEqual({ ok: true, value: `A${n} 1 ` });
      expect(() => render({ a: "x".repeat(10_000) }, little)).toThrow(NeedsThread);
      expect(render({ c: `c${n}` }, little)).toEqual({ ok: true, value: `nobody  C${n}` });
    }
  });

  test("what has more values than a letter has slots is one piece", () => {
    const template = parseLiquid("{% for i in (1..7000) %}{{ i }}<br>{% endfor %}", "html");
    const pieces = template.ok ? template.value.pieces({}) : template;
    expect(pieces.ok && pieces.value).toHaveLength(1);
  });

  test("a value of a million characters is filled in", () => {
    expect(filled("{{ v }}", { v: "<".repeat(300_000) })).toHaveLength(1_200_000);
    expect(filled("{{ v }}", { v: "<".repeat(1_000_000) })).toStartWith("RENDER ");
  });
});

describe("an automation mail", () => {
  const mail = (subject: string, html: string, facts = ABOUT_ADA) => {
    const content = fillMail({ subject, html }, liquidScope(facts));
    return content.ok ? content.value : content.refusal.message;
  };

  test("sees the contact and the event as documented, and nothing else", () => {
    expect(liquidScope(ABOUT_ADA)).toEqual({
      contact: {
        email: "ada@example.com",
        firstName: "Ada",
        lastName: "Lovelace",
        tags: ["vip", "Beta"],
        status: "SUBSCRIBED",
        attributes: ADA.attributes,
      },
      event: {
        name: "order_placed",
        properties: ORDER.properties,
        valueCents: 1999,
        currency: "EUR",
        createdAt: "2026-11-20T08:00:00.000Z",
      },
    });
  });

  test("is filled in, each part in its way", () => {
    const facts = { ...ABOUT_ADA, contact: { ...ADA, firstName: "Ada <3\r\n" } };
    expect(
      mail(
        "{{ contact.firstName }}: {{ event.properties.plan }}",
        "<p>{{ contact.firstName }} {{ contact.tags | join: ', ' }} {{ event.properties.cart.items[0].sku }} {{ event.valueCents | divided_by: 100.0 }} {{ event.currency }}</p>",
        facts,
      ),
    ).toEqual({
      subject: "Ada <3 : Pro",
      html: "<p>Ada &lt;3\r\n vip, Beta A-1 19.99 EUR</p>",
    });
  });

  test("of a run that no event started has an empty event", () => {
    expect(
      mail("[{{ event.name }}]", "[{{ event.properties.plan }}]", { ...ABOUT_ADA, event: null }),
    ).toEqual({ subject: "[]", html: "[]" });
  });

  test.each([
    ["{{ a | nope }}", "ok"],
    ["ok", "{% if %}"],
    ["ok", "{% for i in (1..100000000) %}{% endfor %}"],
  ])("that cannot be filled in is refused whole: %j, %j", (subject, html) => {
    expect(mail(subject, html)).toStartWith("The Liquid template cannot be used in line 1, column ");
  });
});
