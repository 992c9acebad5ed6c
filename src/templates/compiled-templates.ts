/**
 * Templates, ready to be filled in. MJML is compiled and Liquid is read once; the latest used are kept.
 */
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { faultSentence, mjmlAsHtml } from "#mail/letter/letter-fault.ts";
import { areBriefValues } from "#mail/letter/single/brief.ts";
import { filledSubject } from "#mail/letter/subject.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import { joinPieces, parseLiquid, type LiquidScope, type LiquidTemplate } from "#mail/liquid/liquid.ts";
import type { Work } from "#work/pool.ts";
import type { Template } from "./template.ts";

/** What is kept at most: templates, and characters of their bodies, compiled and as written. */
const KEPT_MAX = 200;
const CHARACTERS_MAX = 16_000_000;

/** Subject and HTML of a template with its names filled in. */
export type FilledTemplate = { readonly subject: string; readonly html: string };

type Written = Pick<Template, "id" | "subject" | "format" | "body">;

export type CompiledTemplates = ReturnType<typeof compiledTemplates>;

type Templates = {
  readonly subject: LiquidTemplate;
  readonly html: LiquidTemplate;
  /** What `html` was read from. */
  readonly source: string;
};

type Compiled = Result<Templates>;

type Kept = { readonly of: Written; readonly compiled: Promise<Compiled>; characters: number };

/**
 * A refusal of `fill` is something the template's author can correct: Liquid that cannot be read, MJML that
 * cannot be compiled, or too much of it. Values are escaped in the HTML as in automations, and never reach
 * the MJML compiler. Rejects with WorkLate.
 */
export function compiledTemplates({ work }: { readonly work: Pick<Work, "run"> }) {
  /** Least recently used first. */
  const kept = new Map<string, Kept>();

  /** A template that was changed is compiled again: an entry counts only while its text is the same. */
  const compiledOf = (workspaceId: string, template: Written): Promise<Compiled> => {
    const known = kept.get(template.id);
    kept.delete(template.id);
    const entry = known !== undefined && isSame(known.of, template) ? known : add(workspaceId, template);
    kept.set(template.id, entry);
    return entry.compiled;
  };

  const settle = async (entry: Kept): Promise<void> => {
    const result = await entry.compiled.catch(() => null);
    // This was not the author's mistake, so the next call tries again.
    if (result === null || (!result.ok && result.refusal.isPassing)) {
      if (kept.get(entry.of.id) === entry) kept.delete(entry.of.id);
      return;
    }
    if (result.ok) entry.characters += result.value.source.length;
    trim(kept);
  };

  const add = (workspaceId: string, template: Written): Kept => {
    const compiled = compile(workspaceId, template, work);
    const entry: Kept = { of: template, compiled, characters: template.body.length };
    void settle(entry);
    return entry;
  };

  return {
    async fill(
      workspaceId: string,
      template: Written,
      variables: LiquidScope,
    ): Promise<Result<FilledTemplate>> {
      const compiled = await compiledOf(workspaceId, template);
      if (!compiled.ok) return compiled;
      const here = areBriefValues(JSON.stringify(variables)) ? filledHere(compiled.value, variables) : null;
      if (here !== null) return here;
      const html = compiled.value.source;
      const letter = { subject: template.subject, html, preheader: "", text: null };
      const filled = await work.run(workspaceId, "fill", { letter, scope: variables });
      if (!filled.ok) return filled;
      return accept({ subject: filled.value.subject, html: joinPieces(filled.value.html) });
    },
  };
}

/** Null: it is too much for the event loop. */
function filledHere({ subject, html }: Templates, variables: LiquidScope): Result<FilledTemplate> | null {
  try {
    const line = filledSubject(accept(subject), variables, LITTLE);
    if (!line.ok) return line;
    const filled = html.render(variables, LITTLE);
    return filled.ok ? accept({ subject: line.value, html: filled.value }) : filled;
  } catch (error) {
    if (error instanceof NeedsThread) return null;
    throw error;
  }
}

/** The Liquid of the source is read first, so that a refusal names the line where its author finds it. */
async function compile(
  workspaceId: string,
  { subject, format, body }: Written,
  work: Pick<Work, "run">,
): Promise<Compiled> {
  const [misread] = mjmlAsHtml(format, body);
  if (misread !== undefined) return invalid(faultSentence(misread));
  const line = parseLiquid(subject, "line");
  if (!line.ok) return line;
  const written = parseLiquid(body, "html");
  if (!written.ok || format === "html")
    return written.ok ? accept({ subject: line.value, html: written.value, source: body }) : written;
  const compiled = await work.run(workspaceId, "liquidMjml", body);
  if (!compiled.ok) return compiled;
  const html = parseLiquid(compiled.value, "html");
  return html.ok ? accept({ subject: line.value, html: html.value, source: compiled.value }) : html;
}

const isSame = (a: Written, b: Written): boolean =>
  a.subject === b.subject && a.format === b.format && a.body === b.body;

/** The last one always stays: it is in use. */
function trim(kept: Map<string, Kept>): void {
  let characters = 0;
  for (const entry of kept.values()) characters += entry.characters;
  for (const [id, entry] of kept) {
    if (kept.size === 1 || (kept.size <= KEPT_MAX && characters <= CHARACTERS_MAX)) return;
    characters -= entry.characters;
    kept.delete(id);
  }
}
