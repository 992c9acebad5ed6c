import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { describeFaults, mjmlHtml, type MjmlFault } from "#mail/html/mjml/mjml.ts";
import { withOwnSigns } from "#mail/html/mjml/social-signs.ts";
import { liquidFault } from "#mail/liquid/liquid.ts";

type Made =
  | { readonly ok: true; readonly html: string }
  | { readonly ok: false; readonly faults: readonly MjmlFault[] };

/**
 * The HTML of MJML in which Liquid is filled in afterwards. Refused if the compiler drops some of the Liquid: then both
 * halves of an `{% if %}` would go to everybody. A tag that it breaks apart is found only in the HTML, so it has no
 * place in the author's text. Liquid that its author wrote wrongly is not looked for.
 */
export async function liquidMjmlHtml(source: string): Promise<Made> {
  const made = await mjmlHtml(source);
  if (!made.ok) return made;
  if (made.lost.length > 0) return { ok: false, faults: made.lost };
  const torn = liquidFault(source, "html") === null ? liquidFault(made.html, "html") : null;
  if (torn === null) return made;
  const message = `MJML changes a Liquid tag, which then cannot be read: ${torn.message}`;
  return { ok: false, faults: [{ message, line: null, column: null }] };
}

/** The same, as `compileMjml` makes it. Call it only in a thread. */
export async function compileLiquidMjml(source: string, baseUrl: string): Promise<Result<string>> {
  const made = await liquidMjmlHtml(source);
  return made.ok ? accept(withOwnSigns(made.html, source, baseUrl)) : invalid(describeFaults(made.faults));
}
