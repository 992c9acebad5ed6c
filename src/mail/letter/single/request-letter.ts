import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { FULL, NeedsThread, type Allowance } from "#mail/liquid/allowance.ts";
import { isBriefHtml, isShort } from "./brief.ts";
import { parseLiquid, type LiquidKind, type LiquidScope } from "#mail/liquid/liquid.ts";
import { compileMjml } from "#mail/html/mjml/mjml.ts";
import { checkSubject } from "#mail/letter/subject.ts";
import { writeTransactional, type TransactionalSource } from "./transactional-mail.ts";
import type { WrittenTransactional } from "./transactional-message.ts";

/**
 * The message of a request: at most one of `html` and `mjml`, and at least one of `html`, `mjml` and `text`.
 */
export type RequestSource = TransactionalSource & {
  readonly mjml: string | null;
  /** As JSON: sending a string to a thread costs less than an object. Null if the texts are no templates. */
  readonly variables: string | null;
  /** Parts that were filled in from a template, so they are not read as Liquid again. */
  readonly filled: readonly ("subject" | "html")[];
};

/**
 * Fills in the variables, compiles MJML and writes the message, once for all recipients. A refusal is
 * something the caller can fix. Variables are put into the MJML source before it is compiled, escaped as in
 * HTML.
 *
 * @param baseUrl where readers reach this service
 * @throws NeedsThread if the work needs more than the allowance
 */
export async function writeRequest(
  source: RequestSource,
  allowance: Allowance,
  baseUrl: string,
): Promise<Result<WrittenTransactional>> {
  const fill = filler(source, allowance);
  const subject = fill("subject", source.subject, "line");
  if (!subject.ok) return subject;
  const fit = checkSubject(subject.value ?? "");
  if (!fit.ok) return fit;
  const html = fill("html", source.html, "html");
  if (!html.ok) return html;
  const mjml = fill("mjml", source.mjml, "html");
  if (!mjml.ok) return mjml;
  const text = fill("text", source.text, "text");
  if (!text.ok) return text;
  if (allowance !== FULL && !isBrief(html.value, text.value)) throw new NeedsThread();
  const compiled = mjml.value === null ? html : await compileMjml(mjml.value, baseUrl);
  if (!compiled.ok) return invalid(`\`mjml\` cannot be compiled: ${compiled.refusal.message}`);
  return writeTransactional({ ...source, subject: fit.value, html: compiled.value, text: text.value });
}

/** Whether the texts are short enough, and no text part must be made from HTML that is too long. */
const isBrief = (html: string | null, text: string | null): boolean =>
  isShort(html ?? "", text ?? "") && (html === null || text !== null || isBriefHtml(html));

type Fill = (field: string, template: string | null, kind: LiquidKind) => Result<string | null>;

function filler({ variables, filled: done }: RequestSource, allowance: Allowance): Fill {
  if (variables === null) return (_field, template) => accept(template);
  const scope = JSON.parse(variables) as LiquidScope;
  return (field, template, kind) => {
    if (template === null || done.some((part) => part === field)) return accept(template);
    const parsed = parseLiquid(template, kind);
    const filled = parsed.ok ? parsed.value.render(scope, allowance) : parsed;
    return filled.ok ? filled : invalid(`\`${field}\`: ${filled.refusal.message}`);
  };
}
