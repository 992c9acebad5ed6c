import { UnstyledButton } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import type { LetterProblem } from "../../api/api.gen.ts";
import { useTexts } from "../../texts/texts.tsx";
import type { ProblemPlaces } from "../use-problem-places.ts";

type Props = {
  readonly problems: readonly LetterProblem[];
  readonly places: ProblemPlaces;
};

/** What is wrong with the letter. A click on a problem with a place leads there. */
export function ProblemList({ problems, places }: Props) {
  const { letter, fromServer } = useTexts();
  const kinds: Readonly<Record<string, string>> = letter.kinds;
  const wordsOf = (line: number, kind: string | null): string =>
    kind === null ? letter.place(line) : letter.showBlock(kinds[kind] ?? kind);
  if (problems.length === 0)
    return (
      <p className="problem problem-none">
        <IconCircleCheck size={16} aria-hidden />
        {letter.noProblems}
      </p>
    );
  return (
    <ul className="problems">
      {problems.map((problem, at) => (
        <li key={at} className="problem" data-severity={problem.severity}>
          {problem.severity === "error" ? (
            <IconCircleX size={16} aria-hidden />
          ) : (
            <IconAlertTriangle size={16} aria-hidden />
          )}
          <span>
            {fromServer(problem.message)}{" "}
            {problem.line !== null && (
              <UnstyledButton className="problem-place" onClick={() => places.go(problem)}>
                {wordsOf(problem.line, places.kindOf(problem))}
              </UnstyledButton>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
