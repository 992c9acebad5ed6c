import { UnstyledButton } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import type { LetterProblem } from "../../api/api.gen.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = {
  readonly problems: readonly LetterProblem[];
  /** Jumps to the place of the problem. */
  readonly onGo: (problem: LetterProblem) => void;
};

/** What is wrong with the letter. A click on a problem with a place leads there. */
export function ProblemList({ problems, onGo }: Props) {
  const { letter, fromServer } = useTexts();
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
              <UnstyledButton className="problem-place" onClick={() => onGo(problem)}>
                {letter.place(problem.line)}
              </UnstyledButton>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
