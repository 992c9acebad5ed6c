import { accept, invalid, type Result } from "#core/errors.ts";
import { compiledProblem } from "#mail/letter/letter-limits.ts";

/**
 * Compiles MJML to HTML. Loaded at first use: most starts need none, and it costs some 40 MB.
 *
 * Importing mjml reads `.mjmlconfig` in the working directory and runs what it names; the build replaces that part
 * (scripts/build.ts), so the executable runs no code from where it stands. `mj-include` is ignored, mjml's default.
 */

/**
 * The HTML of an MJML source. It can take seconds: only for a thread (`work/jobs.ts`). A refusal says what is wrong with the source, and
 * names no path of this machine.
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
