import { mjmlHtml } from "#mail/html/mjml.ts";
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

/** Everything in a letter that does not compile: its Liquid, its MJML. It may take long: call it in a thread. */
export async function faultsOf(letter: LetterSource): Promise<LetterFault[]> {
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
  return [...ofSubject, ...ofLiquid, ...(format === "mjml" ? await faultsOfMjml(letter) : [])];
}

async function faultsOfMjml({ html, personalize }: LetterSource): Promise<LetterFault[]> {
  const compiled = await (personalize ? liquidMjmlHtml(html) : mjmlHtml(html));
  return compiled.ok ? [] : compiled.faults.map((found) => ({ part: "body", ...found }));
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
