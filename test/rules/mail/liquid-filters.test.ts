/** Filters with values that nobody thought of: they write nothing strange, and stop nobody's letter. */
import { describe, expect, test } from "bun:test";
import { parseLiquid, type LiquidKind } from "#mail/liquid/liquid.ts";

const KINDS: readonly LiquidKind[] = ["html", "text", "line"];

function filled(source: string, kind: LiquidKind, name: unknown = ""): string {
  const template = parseLiquid(source, kind);
  if (!template.ok) return `PARSE ${template.refusal.message}`;
  const rendered = template.value.render({ name, html: name });
  return rendered.ok ? rendered.value : `RENDER ${rendered.refusal.message}`;
}

describe.each(KINDS)("in a template of the kind %s", (kind) => {
  test.each([
    ["{{ name | split: '' | join: '.' }}", "A🎉é", "A.🎉.é"],
    ["{{ name | split: '' | first | url_encode }}", "🎉 Ada", "%F0%9F%8E%89"],
    ["{% assign all = name | split: nil %}{{ all | size }}", "🎉🎉", "2"],
    ["{% capture all %}{{ name }}{% endcapture %}{{ all | split: '' | last }}", "Ada🎉", "🎉"],
    ["{{ name | split: ',' | join: '.' }}", "a,🎉,,", "a.🎉"],
    ["{{ name | split: '' | size }}", "", "0"],
    ["{{ name | split: '' | join: '.' }}", 12, "1.2"],
  ])("a text is split between characters: %s of %j", (source, name, expected) => {
    expect(filled(source, kind, name)).toBe(expected);
  });

  test.each([
    "{{ 5 | divided_by: 0 }}",
    "{{ -5 | divided_by: name }}",
    "{{ 5 | modulo: 0 }}",
    "{% assign share = 5 | divided_by: 0 %}{{ share | floor }}",
    "{{ 'x' | to_integer }}",
    "{{ 5 | divided_by: 0 | append: '' }}",
    "{{ '' | append: share | prepend: share }}{% assign share = 0 | divided_by: 0 %}{{ '' | append: share }}",
    "{{ 5 | divided_by: 0 | plus: 1 | upcase }}",
  ])("what is no number writes nothing: %s", (source) => {
    expect(filled(`a${source}b`, kind, 0)).toBe("ab");
  });

  test("what is no number is replaced by a default, and words round it stay", () => {
    expect(filled("{{ 5 | divided_by: name | default: 'none' }}", kind, 0)).toBe("none");
    expect(filled("a{{ 5 | divided_by: name | append: ' %' }}", kind, 0)).toBe("a %");
  });

  test.each([
    ["url_decode", "50% off", "50% off"],
    ["url_decode", "50%20off", "50 off"],
    ["base64_decode", "no *", "no *"],
    ["base64_decode", "QWRh", "Ada"],
  ])("%s leaves a value that is not encoded as it is: %s", (filter, value, expected) => {
    expect(filled(`{{ name | ${filter} }}`, kind, value)).toBe(expected);
  });

  test.each([
    ["Europe/Berlin", "19:00"],
    ["europe/berlin", "19:00"],
    ["", "18:00"],
    ["Mars/Base", "2026-12-24T18:00Z"],
  ])("a date in a time zone that is a value: %j", (zone, written) => {
    const source = "{{ '2026-12-24T18:00Z' | date: '%H:%M', name }}";
    expect(filled(source, kind, zone)).toBe(written);
  });

  test.each([
    ["{{ name | date: '%H:%M', 'Europe/Berln' }}", "line 1, column 26"],
    [
      "a\n{% if name %}{% for a in name %}{{ a | date: '%H', 'Europe/Berln' }}{% endfor %}{% endif %}",
      "line 2, column 52",
    ],
    ["{% assign at = name | date: '%H', 'Europe/Berln' | append: ' Uhr' %}", "line 1, column 35"],
  ])("a time zone that the template names must be one: %s", (source, place) => {
    expect(filled(source, kind)).toBe(
      `PARSE The Liquid template cannot be used in ${place}: "Europe/Berln" is no time zone, such as Europe/Berlin.`,
    );
  });

  test("numbers are written as they are", () => {
    expect(filled("{{ 10 | divided_by: 4 }} {{ 0 | times: -1 }} {{ name }}", kind, -2.5)).toBe("2.5 0 -2.5");
  });
});
