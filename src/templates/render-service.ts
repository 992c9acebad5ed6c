import { sizeProblems } from "#mail/problems/size-problems.ts";
import type { Problem } from "#mail/problems/problem.ts";
import { errorProblem, letterProblems } from "#work/letter-problems.ts";
import type { Work } from "#work/pool.ts";
import type { CompiledTemplates } from "./compiled-templates.ts";
import type { Template } from "./template.ts";
import type { Variables } from "./template-input.ts";

/** How a message of the template would read. All texts are empty if it cannot be made. */
type Rendered = {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly problems: readonly Problem[];
};

/** Fills in a template for a preview. @throws WorkLate */
export type RenderTemplate = (
  workspaceId: string,
  template: Template,
  variables: Variables,
) => Promise<Rendered>;

export function templateRenderer(parts: {
  readonly compiledTemplates: Pick<CompiledTemplates, "fill">;
  readonly work: Pick<Work, "run">;
}): RenderTemplate {
  const { compiledTemplates, work } = parts;
  return async (workspaceId, template, variables) => {
    const { subject, body, format } = template;
    const written = { subject, preheader: "", body, format, text: null, isLiquid: true };
    const problems = await letterProblems(work, workspaceId, written);
    const nothing = (message: string): Rendered => ({
      subject: "",
      html: "",
      text: "",
      problems: problems.some(({ severity }) => severity === "error")
        ? problems
        : [errorProblem(message), ...problems],
    });
    const filled = await compiledTemplates.fill(workspaceId, template, variables);
    if (!filled.ok) return nothing(filled.refusal.message);
    const text = await work.run(workspaceId, "plainText", filled.value.html);
    if (!text.ok) return nothing(text.refusal.message);
    const bytes = Buffer.byteLength(filled.value.html);
    return { ...filled.value, text: text.value, problems: [...problems, ...sizeProblems(bytes)] };
  };
}
