/** MJML whose format was never set would reach everybody as its source. */
import { expect, test } from "bun:test";
import { judgeLetter } from "#mail/letter/letter-faults.ts";

const faultsOf = async (html: string, format: "html" | "mjml" = "html") =>
  (
    await judgeLetter(
      { subject: "News", preheader: "", html, text: null, format, personalize: false },
      "https://mail.example.com",
    )
  ).faults.map(({ part, message }) => `${part}: ${message}`);

const MJML =
  "<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>";

test.each([MJML, `\n <!-- <p> --> <!---->\n${MJML}`, MJML.replace("<mjml>", '<MJML lang="en">')])(
  "MJML as HTML is refused: %.30j",
  async (source) => {
    expect(await faultsOf(source)).toEqual([
      "body: it is MJML, but its format is HTML. Choose MJML as its format",
    ]);
  },
);

test.each(["<p>Learn <mjml></p>", "<mjmlx>a</mjmlx>", "&lt;mjml>", "<!-- <mjml> --><p>a</p>"])(
  "%j is HTML",
  async (source) => {
    expect(await faultsOf(source)).toEqual([]);
  },
);

test("MJML as MJML is not", async () => {
  expect(await faultsOf(MJML, "mjml")).toEqual([]);
});
