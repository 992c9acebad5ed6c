/** What outputs, comparisons and loops read counts: much of it is work for a thread, and is not begun on the event loop. */
import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import { parseLiquid } from "#mail/liquid/liquid.ts";
import { leastCostMs } from "../../support/common/cpu-time.ts";

const filled = (source: string, scope: Record<string, unknown>): string => {
  const rendered = unwrap(parseLiquid(source, "html")).render(scope);
  return rendered.ok ? rendered.value : rendered.refusal.message;
};

describe("on the event loop, what is work for a thread is not begun", () => {
  const ONES = Array.from({ length: 5_000 }, () => 1);
  const OBJECT = Object.fromEntries(ONES.map((one, n) => [`key-${n}`, one]));
  const loop = (source: string) => `{% for i in (1..400) %}${source}{% endfor %}`;
  const many = (source: string) => source.repeat(400);

  test.each([
    ["plain values", many("{{ a }}"), { a: "x".repeat(3_000) }],
    ["one long value", "{{ a }}", { a: "'".repeat(1_000_000) }],
    ["lists without text", many("{{ a }}"), { a: Array.from({ length: 5_000 }, () => null) }],
    ["lists without text in a loop", loop("{{ a }}"), { a: Array.from({ length: 5_000 }, () => "") }],
    ["what `contains` looks through", loop('{% if a contains "z" %}{% endif %}'), { a: ONES }],
    ["lists that are compared", loop("{% if a == b %}{% endif %}"), { a: ONES, b: [...ONES] }],
    ["lists in lists", loop("{% if a != b %}{% endif %}"), { a: [[ONES]], b: [[[...ONES]]] }],
    ["lists that are ordered", loop("{% if a > b %}{% endif %}"), { a: ONES, b: [...ONES] }],
    ["what `case` compares", loop("{% case a %}{% when b, b %}{% endcase %}"), { a: ONES, b: [...ONES] }],
    ["the entries of an object", loop("{% for x in a limit: 1 %}{% endfor %}"), { a: OBJECT }],
    ["the entries of an object on a list", loop("{% for x in a[0] limit: 1 %}{% endfor %}"), { a: [OBJECT] }],
    [
      "the entries of an object in a table",
      loop("{% tablerow x in a limit: 1 %}{% endtablerow %}"),
      { a: OBJECT },
    ],
    ["the size of an object", loop("{% if a.size > 1 %}{% endif %}"), { a: OBJECT }],
    ["its size that is written", many("{{ a.size }}"), { a: OBJECT }],
    ["its size under a name that is worked out", loop("{{ a[k] }}"), { a: OBJECT, k: "size" }],
    ["operators of a condition", loop(`{% if ${"i == 0 or ".repeat(100)}i == 0 %}{% endif %}`), {}],
    ["operators that compare nothing", loop(`{% if ${"not ".repeat(100)}i %}{% endif %}`), {}],
    ["names without operators", loop(`{{ i ${"i ".repeat(100)} }}`), {}],
    ["numbers without operators after a range", loop(`{% if (1..2) ${"1 ".repeat(100)} %}{% endif %}`), {}],
    ["branches of a condition", loop(`{% if z %}${"{% elsif z %}".repeat(200)}{% endif %}`), {}],
    ["branches of its contrary", loop(`{% unless i %}${"{% elsif z %}".repeat(200)}{% endunless %}`), {}],
    ["filters after filters", loop(`{{ i ${"| abs ".repeat(100)} }}`), {}],
    ["what filters are given", loop(`{{ i | plus: ${"1, ".repeat(1_000)}1 }}`), {}],
    ["the way to a member", loop(`{{ a${"['b']".repeat(200)} }}`), {}],
    [
      "the way to a member of each entry",
      `{{ a | where: '${"b.".repeat(1_000)}b', 1 | size }}`,
      { a: ONES.slice(0, 500) },
    ],
    ["the way to a member of an object", loop(`{{ a | map: '${"b.".repeat(1_000)}b' | size }}`), { a: {} }],
    ["the way to a member of a text", loop("{{ i | where: a | size }}"), { a: "b.".repeat(300) }],
    ["the way to a member that is a list", loop("{{ i | map: a | size }}"), { a: ["b.".repeat(300)] }],
    ["names in a date", `{{ 1 | date: '${"%A".repeat(200)}' | size }}`, {}],
    ["names in dates", loop("{{ i | date_to_string }}"), {}],
    ["dates without a format", loop("{{ i | date }}"), {}],
    ["parts of a date", `{{ 1 | date: '${"%d".repeat(5_000)}' | size }}`, {}],
    ["a format that is a list", "{{ 1 | date: a | size }}", { a: Array.from({ length: 500 }, () => "%B") }],
    ["dates in a time zone", loop("{{ i | date: '%H', 'Europe/Berlin' }}"), {}],
    [
      "long texts that are sorted",
      "{{ a | sort_natural | size }}",
      { a: Array.from({ length: 500 }, () => "A".repeat(5_000)) },
    ],
    [
      "long texts on a list",
      loop("{% if a contains b %}{% endif %}"),
      { a: Array.from({ length: 20 }, () => "A".repeat(50_000)), b: "b" },
    ],
    ["texts that are compared", loop("{% if a == blank %}{% endif %}"), { a: " ".repeat(5_000) }],
  ])("%s", (_, source, scope) => {
    const template = unwrap(parseLiquid(source, "html"));
    expect(() => template.render(scope, LITTLE)).toThrow(NeedsThread);
    expect(() => template.pieces(scope, LITTLE)).toThrow(NeedsThread);
  });

  test("sizes of lists and texts are no such work: they are known without counting", () => {
    const template = unwrap(parseLiquid(loop("{{ a.size }}{{ b.size }}"), "html"));
    const rendered = template.render({ a: ONES, b: "x".repeat(5_000) }, LITTLE);
    expect(unwrap(rendered)).toBe("50005000".repeat(400));
  });

  test("and what becomes too long stops where it does", () => {
    let read = 0;
    const scope = {
      get a() {
        read++;
        return "'".repeat(100_000);
      },
    };
    expect(filled(many("{{ a }}"), scope)).toContain("the text becomes longer than");
    expect(read).toBeLessThan(10);
  });

  test("conditions on all the tags that a contact may have are no such work", () => {
    const tags = Array.from({ length: 50 }, (_, n) => `tag-${n}`);
    const source = many('{% if contact.tags contains "vip" %}x{% endif %}');
    const template = unwrap(parseLiquid(source, "html"));
    expect(template.render({ contact: { tags } }, LITTLE)).toEqual({ ok: true, value: "" });
  });
});

describe("ordinary letters are far from what is refused", () => {
  const loop = (source: string, limit = 1_000) =>
    `{% for p in products limit: ${limit} %}${source}{% endfor %}`;
  const products = Array.from({ length: 1_000 }, (_, n) => ({
    name: `Concert ${n}`,
    at: "2026-05-02T18:00:00Z",
  }));

  test.each([
    [
      "a thousand dates with names, in words and in a time zone",
      loop(`{{ p.at | date: "%A, %B %d %Y" }} {{ p.at | date: "%a %b %d, %H:%M", "Europe/Berlin" }}`),
    ],
    [
      "rows that are captured and put before the others",
      `{% assign all = "" %}${loop("{% capture row %}<p>{{ p.name }}</p>{% endcapture %}{% assign all = row | append: all %}", 600)}{{ all | size }}`,
    ],
  ])("%s", (_, source) => {
    const rendered = unwrap(parseLiquid(source, "html")).render({ products });
    expect(rendered.ok ? "" : rendered.refusal.message).toBe("");
  });
});

test("the format of a date is counted in one go, also where flags and widths could be split in many ways", async () => {
  const sized = unwrap(parseLiquid("{{ 1 | date: a | size }}", "html"));
  const costOf = (a: string) => leastCostMs(() => sized.render({ a }, LITTLE));
  expect(await costOf(`%${"0".repeat(30_000)}\n`)).toBeLessThan(4 * (await costOf("-".repeat(30_000))));
});

test("case shows each branch that fits, or what is left", () => {
  const source = "{% case a %}{% when 1, 2 %}x{% when 2 or 3 %}y{% else %}z{% endcase %}";
  expect([1, 2, 3, "3", null].map((a) => filled(source, { a }))).toEqual(["x", "xy", "y", "z", "z"]);
});
