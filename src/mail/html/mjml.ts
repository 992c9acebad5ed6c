import { accept, invalid, type Result } from "#core/errors.ts";
import { compiledProblem } from "#mail/letter/letter-limits.ts";
import { withoutIndents } from "./indents.ts";
import { withOwnSigns } from "./social-signs.ts";

/**
 * Compiles MJML to HTML. The library is loaded at first use: most starts do not need it, and it takes
 * much memory.
 *
 * When mjml is imported, it reads `.mjmlconfig` in the working directory and runs the code named there. The
 * build replaces that part (scripts/build.ts), so the executable runs no code from its directory.
 * `mj-include` is ignored, which is mjml's default.
 */

/** What is wrong with an MJML source; `line` is null where the library names none. */
type MjmlFault = { readonly line: number | null; readonly message: string };

type Made =
  | { readonly ok: true; readonly html: string }
  | { readonly ok: false; readonly faults: readonly MjmlFault[] };

/**
 * The HTML of an MJML source, without the indents that the compiler writes, and with our signs of social networks. It
 * can take seconds, so call it in a thread only (`work/jobs.ts`). A refusal says what is wrong with the source, and
 * names no path of this machine.
 * @param baseUrl where readers reach this service
 */
export async function compileMjml(source: string, baseUrl: string): Promise<Result<string>> {
  const made = await mjmlHtml(source);
  return made.ok ? accept(withOwnSigns(made.html, source, baseUrl)) : invalid(describe(made.faults));
}

/** The same, with each fault on its own. */
export async function mjmlHtml(source: string): Promise<Made> {
  const { default: compile } = await import("mjml");
  try {
    // Without fonts: else everybody who opens the letter loads the default ones from Google. The compiler adds those
    // of a letter to the object.
    const { html, errors } = await compile(source, { validationLevel: "soft", fonts: {} });
    if (errors.length > 0)
      return {
        ok: false,
        faults: errors.map(({ line, tagName, message }) => ({ line, message: `${tagName}: ${message}` })),
      };
    const problem = compiledProblem(html);
    return problem === null ? { ok: true, html: withoutIndents(html) } : failed(problem);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

const failed = (message: string): Made => ({ ok: false, faults: [{ line: null, message }] });

const ERRORS_SHOWN = 20;

const describe = (faults: readonly MjmlFault[]): string =>
  faults
    .slice(0, ERRORS_SHOWN)
    .map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`))
    .join("; ") + (faults.length > ERRORS_SHOWN ? `; and ${faults.length - ERRORS_SHOWN} more` : "");
