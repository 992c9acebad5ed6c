import { expect, test } from "bun:test";
import { fillMail } from "#automations/mail/mail-content.ts";
import { FULL } from "#mail/liquid/allowance.ts";
import { liquidLetter } from "#mail/letter/slots/liquid-letter.ts";
import { TEST_MARK } from "#mail/letter/subject.ts";

const LETTER = { html: "<p>x</p>", preheader: "", text: null };

test.each([
  ["a campaign's", (subject: string) => liquidLetter({ ...LETTER, subject }).fill({ a: "x".repeat(998) }, FULL)],
  ["an automation's", (subject: string) => fillMail({ ...LETTER, subject }, { a: "x".repeat(998) })],
])("%s subject that becomes longer than a subject may be is refused", (_, fill) => {
  expect(fill("{{ a }}")).toMatchObject({ ok: true });
  expect(fill(`${TEST_MARK}{{ a }}`)).toMatchObject({ ok: true });
  const refused = fill(`{% for i in (1..800) %}${"a".repeat(400)}{% endfor %}`);
  expect(refused.ok ? "" : refused.refusal.message).toBe(
    "The subject becomes longer than 998 characters. Shorten it.",
  );
});
