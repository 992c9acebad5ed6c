/** MJML whose format was never set would reach everybody as its source. */
import { expect, test } from "bun:test";
import { mjmlAsHtml } from "#mail/letter/letter-fault.ts";

const MJML =
  "<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>";

/** What MJML's compiler lets stand before the root element. */
const BEFORE = [
  "\n <!-- <p> --> <!---->\n",
  '\uFEFF<?xml version="1.0"?>\n<!-- a -->\n',
  "<!DOCTYPE html>\n",
  "{% comment %}<p>{% endcomment %}{%- comment -%} {%- endcomment -%}\n",
];

test.each([MJML, MJML.replace("<mjml>", '<MJML lang="en">'), ...BEFORE.map((before) => before + MJML)])(
  "MJML as HTML is a fault: %.30j",
  (source) => {
    expect(mjmlAsHtml("html", source).map(({ part, message }) => `${part}: ${message}`)).toEqual([
      "body: it is MJML, but its format is HTML. Choose MJML as its format",
    ]);
    expect(mjmlAsHtml("mjml", source)).toEqual([]);
  },
);

test.each([
  "<p>Learn <mjml></p>",
  "<mjmlx>a</mjmlx>",
  "&lt;mjml>",
  "<!-- <mjml> --><p>a</p>",
  "<!--",
  "<!doctype html><p><mjml>",
  "{% comment %}<mjml>{% endcomment %}<p>a</p>",
])("%j is HTML", (source) => {
  expect(mjmlAsHtml("html", source)).toEqual([]);
});
