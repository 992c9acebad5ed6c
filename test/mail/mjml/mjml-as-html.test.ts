/** MJML whose format was never set would reach everybody as its source. */
import { expect, test } from "bun:test";
import { mjmlAsHtml } from "#mail/letter/letter-fault.ts";

const MJML =
  "<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>";

test.each([MJML, `\n <!-- <p> --> <!---->\n${MJML}`, MJML.replace("<mjml>", '<MJML lang="en">')])(
  "MJML as HTML is a fault: %.30j",
  (source) => {
    expect(mjmlAsHtml("html", source).map(({ part, message }) => `${part}: ${message}`)).toEqual([
      "body: it is MJML, but its format is HTML. Choose MJML as its format",
    ]);
    expect(mjmlAsHtml("mjml", source)).toEqual([]);
  },
);

test.each(["<p>Learn <mjml></p>", "<mjmlx>a</mjmlx>", "&lt;mjml>", "<!-- <mjml> --><p>a</p>", "<!--"])(
  "%j is HTML",
  (source) => {
    expect(mjmlAsHtml("html", source)).toEqual([]);
  },
);
