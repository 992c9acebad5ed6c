import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { nodeById } from "../../flow/flow.ts";
import { nodeTitle } from "../../flow/node-words.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useEditor } from "./editor.tsx";

/** What would fail, never happen or stay empty. Each problem links to its step. */
export function ProblemList() {
  const { flow, problems, choose, wording } = useEditor();
  const { texts, quantity } = wording;
  const { fromServer } = useTexts();
  if (problems.length === 0)
    return (
      <p className="automation-no-problems">
        <IconCircleCheck size={16} aria-hidden />
        {texts.noProblems}
      </p>
    );
  return (
    <section className="automation-problems" aria-labelledby="problems">
      <h2 id="problems">{texts.problemsCount(quantity(problems.length))}</h2>
      <ul>
        {problems.map(({ nodeId, path, message }) => {
          const node = nodeId === null ? undefined : nodeById(flow, nodeId);
          return (
            <li key={`${path} ${message}`}>
              <IconAlertTriangle size={16} aria-hidden />
              <span>
                <strong>{node === undefined ? texts.wholeFlow : nodeTitle(node, wording)}:</strong>{" "}
                {fromServer(message)}
              </span>
              {node !== undefined && (
                <Button size="compact-sm" variant="subtle" onClick={() => choose(node.id)}>
                  {texts.showStep}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
