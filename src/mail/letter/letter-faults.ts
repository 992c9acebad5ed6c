import { mjmlHtml } from "#mail/html/mjml/mjml.ts";
import { withOwnSigns } from "#mail/html/mjml/social-signs.ts";
import { liquidFault, type LiquidKind } from "#mail/liquid/liquid.ts";
import { oneLine } from "#mail/mime/headers.ts";
import type { LetterFault } from "./letter-fault.ts";
import { liquidMjmlHtml } from "./liquid-mjml.ts";
import type { AuthoredLetter } from "#mail/letter/slots/liquid-letter.ts";

/** A letter as its author wrote it, and how it is read. */
export type LetterSource = AuthoredLetter & {
  readonly format: "html" | "mjml";
  readonly personalize: boolean;
};

/** `html`: what its MJML became, as a send makes it; null if it has none, or none that compiles. */
export type JudgedLetter = { readonly faults: readonly LetterFault[]; readonly html: string | null };

/** Everything in a letter that does not compile: its Liquid, its MJML. It may take long: call it in a thread. */
export async function judgeLetter(letter: LetterSource, baseUrl: string): Promise<JudgedLetter> {
  const { subject, html, preheader, text, format, personalize } = letter;
  const ofSubject = oneLine(subject) === "" ? [fault("subject", "The subject is empty. Write one.")] : [];
  const ofLiquid = !personalize
    ? []
    : [
        ...liquid("subject", subject, "line"),
        ...liquid("preheader", preheader, "line"),
        ...liquid("body", html, "html"),
        ...liquid("text", text ?? "", "text"),
      ];
  const written = [...ofSubject, ...ofLiquid];
  if (format === "html") return { faults: written, html: null };
  const compiled = await (personalize ? liquidMjmlHtml(html) : mjmlHtml(html));
  return compiled.ok
    ? { faults: written, html: withOwnSigns(compiled.html, html, baseUrl) }
    : {
        faults: [...written, ...compiled.faults.map((found) => ({ part: "body", ...found }) as const)],
        html: null,
      };
}

function liquid(part: LetterFault["part"], source: string, kind: LiquidKind): LetterFault[] {
  const found = liquidFault(source, kind);
  return found === null ? [] : [{ part, ...found }];
}

const fault = (part: LetterFault["part"], message: string): LetterFault => ({
  part,
  message,
  line: null,
  column: null,
});
