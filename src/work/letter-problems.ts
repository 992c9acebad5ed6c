/** The errors of a letter, and the warnings about what its author probably did not intend. */
import { faultSentence, mjmlAsHtml, type LetterFault } from "#mail/letter/letter-fault.ts";
import type { WrittenLetter } from "#mail/problems/letter-warnings.ts";
import type { Problem } from "#mail/problems/problem.ts";
import type { Work } from "./pool.ts";

/** Errors first, then warnings, each in the order of the letter. @throws WorkLate */
export async function letterProblems(
  work: Pick<Work, "run">,
  workspaceId: string,
  letter: WrittenLetter,
): Promise<Problem[]> {
  const { subject, preheader, body, format, text, isLiquid } = letter;
  const source = { subject, preheader, html: body, text, format, personalize: isLiquid };
  const faults = await work.run(workspaceId, "letterFaults", source);
  const warnings = await work.run(workspaceId, "letterWarnings", letter);
  return [
    ...mjmlAsHtml(format, body).map(asError),
    ...(faults.ok
      ? faults.value.faults.map((fault) => asError(fault))
      : [errorProblem(faults.refusal.message)]),
    ...(warnings.ok ? warnings.value : []),
  ];
}

/** An error of the letter as a whole. */
export const errorProblem = (message: string): Problem => ({
  severity: "error",
  message,
  line: null,
  column: null,
});

/** A place is one of the body: what is wrong in another part says its line itself. */
function asError(fault: LetterFault): Problem {
  if (fault.part !== "body") return errorProblem(faultSentence(fault));
  const { line, column } = fault;
  return { ...errorProblem(faultSentence({ ...fault, line: null, column: null })), line, column };
}
