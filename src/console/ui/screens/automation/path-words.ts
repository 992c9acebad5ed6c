import type { Simulation } from "../../api/api.gen.ts";
import { edgesBy, nodeById, type Flow } from "../../flow/flow.ts";
import { kindOf } from "../../flow/node-kind.ts";
import { nodeSummary, type Wording } from "../../flow/node-words.ts";

/** What happens at a step of a simulated path, in the reader's language; if it fails, in the server's own words. */
export function pathWords(flow: Flow, path: Simulation, index: number, wording: Wording): string {
  const { steps, status, errorMessage } = path;
  const [step, next] = [steps[index], steps[index + 1]];
  if (step === undefined) return "";
  const node = nodeById(flow, step.nodeId);
  const { simulate, yes, no } = wording.texts;
  if (node === undefined) return step.says;
  if (step.subject !== null) return simulate.mail(step.subject);
  switch (node.type) {
    case "trigger":
      return simulate.enters;
    case "wait":
      if (next === undefined) return simulate.waits;
      return next.nodeId === step.nodeId ? simulate.waitsUntil(wording.dateTime(next.at)) : simulate.goesOn;
    case "condition":
      if (next === undefined) return status === "COMPLETED" ? simulate.arrives : step.says;
      return edgesBy(flow, node.id, "true").some(({ target }) => target === next.nodeId) ? yes : no;
    case "end":
      return simulate.arrives;
    default: {
      const isFailed = next === undefined && errorMessage !== null;
      return isFailed || kindOf(node) === "sendEmail" ? step.says : nodeSummary(node, wording);
    }
  }
}
