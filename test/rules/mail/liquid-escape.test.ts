/** Each value is escaped once, whatever filters its author wrote, and stays a value: the letter round it is compiled once. */
import { describe, expect, test } from "bun:test";
import type { Result } from "#core/errors/errors.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import { parseLiquid, type LiquidPiece } from "#mail/liquid/liquid.ts";

const SCOPE = { name: "O'Brien & Co", lines: "<a>\nb", nothing: null };
const NAME = "O&#39;Brien &amp; Co";

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}
const filledOrRefused = (source: string): string => {
  const filled = unwrap(parseLiquid(source, "html")).render(SCOPE);
  return filled.ok ? filled.value : filled.refusal.message;
};
const piecesOf = (source: string): readonly LiquidPiece[] =>
  unwrap(unwrap(parseLiquid(source, "html")).pieces(SCOPE));
const filled = (source: string): string => unwrap(unwrap(parseLiquid(source, "html")).render(SCOPE));

describe("a value that its author escaped", () => {
  test.each([
    "{{ name | escape }}",
    "{{ name | xml_escape }}",
    "{{ name | escape_once }}",
    "{{ name | escape | escape_once }}",
    "{{ name | escape | default: 'you' }}",
    "{{ name | escape | append: '' }}",
    "{{ nothing | default: name | escape }}",
    "{% assign known = name | escape %}{{ known }}",
    "{% echo name | escape %}",
  ])("is escaped once, and a value: %s", (source) => {
    expect(filled(source)).toBe(NAME);
    expect(piecesOf(source)).toEqual([{ value: NAME }]);
  });

  test("escape_once keeps what is escaped already", () => {
    expect(filled("{{ 'a &amp; b &#34; < c' | escape_once }}")).toBe("a &amp; b &quot; &lt; c");
  });
});

describe("the values in a block that was captured", () => {
  const CAPTURED = "{% capture dear %}Dear <b>{{ name }}</b>{% endcapture %}";

  test.each(["{{ dear }}", "{% echo dear %}", "{{ dear | escape }}", "{{ dear | escape_once }}"])(
    "are values where it is written: %s",
    (output) => {
      expect(piecesOf(CAPTURED + output)).toEqual(["Dear <b>", { value: NAME }, "</b>"]);
      expect(filled(CAPTURED + output)).toBe(`Dear <b>${NAME}</b>`);
    },
  );

  test("a filter sees the block as text, and what it makes is escaped", () => {
    expect(filled(`${CAPTURED}{{ dear | append: '<' }}`)).toContain("&lt;b&gt;");
  });

  test("blocks in blocks that hold nothing do not grow without limit", () => {
    const twice = "{% capture a %}{{ a }}{{ a }}{% endcapture %}";
    const source = (times: number) =>
      `{% capture a %}{{ nothing }}{% endcapture %}${twice.repeat(times)}{{ a }}`;
    expect(piecesOf(source(20)).length).toBeLessThan(50_000);
    expect(filledOrRefused(source(60))).toContain("more steps than a letter may");
  });
});

test.each(["escape", "escape_once", "newline_to_br"])(
  "what %s reads of a captured block counts: a loop over much of it is work for a thread",
  (filter) => {
    const block = `{% capture c %}${"&amp;\n".repeat(4_000)}{% endcapture %}`;
    const template = unwrap(
      parseLiquid(`${block}{% for i in (1..200) %}{% assign t = c | ${filter} %}{% endfor %}`, "html"),
    );
    expect(() => template.render({}, LITTLE)).toThrow(NeedsThread);
  },
);

test("line breaks stand between the lines of a value", () => {
  expect(piecesOf("{{ lines | newline_to_br }}")).toEqual([
    { value: "&lt;a&gt;" },
    "<br />\n",
    { value: "b" },
  ]);
});

describe("a captured block is a text wherever it is not written as it is", () => {
  const CAPTURED = "{% capture x %}{{ name }}{% endcapture %}";
  test.each([
    ["{{ x | strip }}", NAME],
    ["{{ x | default: 'you' }}", NAME],
    ["{{ name | newline_to_br | strip }}", NAME],
    ["{{ x | size }} {{ x.size }}", "12 12"],
    ["{% capture y %}{% endcapture %}{{ y | default: 'you' }}", "you"],
    ["{% if x.size > 0 %}yes{% else %}no{% endif %}", "yes"],
    [`{% if x == "O'Brien & Co" %}yes{% else %}no{% endif %}`, "yes"],
    [`{% if x contains "O'B" %}yes{% else %}no{% endif %}`, "yes"],
    [`{% case x %}{% when "O'Brien & Co" %}yes{% else %}no{% endcase %}`, "yes"],
    ["{% capture y %} {{ nothing }} {% endcapture %}{% if y == blank %}yes{% else %}no{% endif %}", "yes"],
  ])("%s", (source, shown) => expect(filled(CAPTURED + source)).toBe(shown));

  test.each(["{{ x | default: 'you' }}", "{{ nothing | default: x }}", "{{ y | default: x }}"])(
    "and where it is not empty, default leaves it as it is: %s",
    (output) => {
      const captured = "{% capture x %}<b>{{ name }}</b>{% endcapture %}{% capture y %}{% endcapture %}";
      expect(piecesOf(captured + output)).toEqual(["<b>", { value: NAME }, "</b>"]);
    },
  );

  test("and what a filter makes of markup is still escaped", () =>
    expect(filled("{% capture x %}<b>{{ lines }}</b>{% endcapture %}{{ x | strip }}")).toBe(
      "&lt;b&gt;&lt;a&gt;\nb&lt;/b&gt;",
    ));
});
