import { accept, invalid, type Result } from "#core/errors.ts";
import { compiledProblem } from "#mail/letter/letter-limits.ts";

/**
 * Compiles MJML to HTML. The library is loaded at first use: most starts do not need it, and it takes
 * much memory.
 *
 * When mjml is imported, it reads `.mjmlconfig` in the working directory and runs the code named there. The
 * build replaces that part (scripts/build.ts), so the executable runs no code from its directory.
 * `mj-include` is ignored, which is mjml's default.
 */

/**
 * The HTML of an MJML source. It can take seconds, so call it in a thread only (`work/jobs.ts`). A refusal
 * says what is wrong with the source, and names no path of this machine.
 */
export async function compileMjml(source: string): Promise<Result<string>> {
  const { default: compile } = await import("mjml");
  try {
    const { html, errors } = await compile(source, { validationLevel: "soft" });
    const problem = errors.length > 0 ? describe(errors) : compiledProblem(html);
    return problem === null ? accept(html) : invalid(problem);
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

const ERRORS_SHOWN = 20;

const describe = (errors: readonly { line: number; tagName: string; message: string }[]): string =>
  errors
    .slice(0, ERRORS_SHOWN)
    .map(({ line, tagName, message }) => `line ${line}: ${tagName}: ${message}`)
    .join("; ") + (errors.length > ERRORS_SHOWN ? `; and ${errors.length - ERRORS_SHOWN} more` : "");
