import { expect, test } from "bun:test";
import { fillMail } from "#automations/mail/mail-content.ts";
import { FULL } from "#mail/liquid/allowance.ts";
import type { LiquidScope } from "#mail/liquid/liquid.ts";
import { liquidLetter } from "#mail/letter/slots/liquid-letter.ts";
import { TEST_MARK } from "#mail/letter/subject.ts";

const LETTER = { html: "<p>x</p>", preheader: "", text: null };
const SCOPE = { a: "x".repeat(998) };
const campaign = (subject: string, scope: LiquidScope) =>
  liquidLetter({ ...LETTER, subject }).fill(scope, FULL);
const automation = (subject: string, scope: LiquidScope) => fillMail({ ...LETTER, subject }, scope);

test.each([
  ["a campaign's", campaign],
  ["an automation's", automation],
])("%s subject that becomes longer than a subject may be is refused", (_, of) => {
  const fill = (subject: string) => of(subject, SCOPE);
  expect(fill("{{ a }}")).toMatchObject({ ok: true });
  expect(fill(`${TEST_MARK}{{ a }}`)).toMatchObject({ ok: true });
  const refused = fill(`{% for i in (1..800) %}${"a".repeat(400)}{% endfor %}`);
  expect(refused.ok ? "" : refused.refusal.message).toBe(
    "The subject becomes longer than 998 characters. Shorten it.",
  );
});
