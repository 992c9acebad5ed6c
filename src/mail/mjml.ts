/**
 * Compiles MJML to HTML. Loaded at first use: most starts need none, and it costs some 40 MB.
 *
 * Importing mjml reads `.mjmlconfig` in the working directory and runs what it names; the build replaces that part
 * (scripts/build.ts), so the executable runs no code from where it stands. `mj-include` is ignored, mjml's default.
 */

/** @throws where the source is not valid MJML, without naming a path of this machine */
export async function compileMjml(source: string): Promise<string> {
  const { default: compile } = await import("mjml");
  const { html, errors } = await compile(source, { validationLevel: "soft" });
  if (errors.length > 0)
    throw new Error(
      errors.map(({ line, tagName, message }) => `line ${line}: ${tagName}: ${message}`).join("; "),
    );
  return html;
}
