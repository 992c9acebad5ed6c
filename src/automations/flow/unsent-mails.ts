import type { Problem } from "#core/request/reading.ts";
import type { Instant } from "#core/time/clock.ts";
import { quoted } from "#core/text/text.ts";
import type { Action } from "./flow-step.ts";
import type { Flow, FlowNode } from "./flow.ts";
import { reachableFrom, type Graph } from "./graph.ts";
import { readNode } from "./node.ts";
import { partWithoutWaits } from "./timeless.ts";

type UnsentMail = Problem & { readonly nodeId: string };

/**
 * Opt-outs that follow a mail without a wait between. A step only plans its mail. It is filled in and sent after the
 * steps that follow at once, and by then the contact may not be mailed any more. The run itself shows nothing of it.
 */
export function unsentMails(flow: Flow, now: Instant): UnsentMail[] {
  const does = (action: Action["action"]) => (node: FlowNode) => actionOf(node) === action;
  const mails = flow.nodes.filter(does("send_email")).map(({ id }) => id);
  if (mails.length === 0) return [];
  const backwards = reversed(partWithoutWaits(flow, now));
  const optsOut = does("unsubscribe");
  return flow.nodes.flatMap((node, index): UnsentMail[] => {
    if (!optsOut(node)) return [];
    const before = reachableFrom(backwards, [node.id]);
    const mail = mails.find((id) => before.has(id));
    if (mail === undefined) return [];
    const message = `Whoever comes here from the step ${quoted(mail)} may not get its mail: a mail goes out after the steps that follow it without a wait. Add a wait before this step.`;
    return [{ nodeId: node.id, path: `nodes[${index}].id`, message }];
  });
}

function actionOf(node: FlowNode): Action["action"] | null {
  const reading = node.type === "action" ? readNode(node) : null;
  return reading?.ok === true && reading.value.type === "action" ? reading.value.action.action : null;
}

/** For each node, the nodes that can lead to it. */
function reversed(graph: Graph): Graph {
  const back = new Map<string, string[]>([...graph.keys()].map((id) => [id, []]));
  for (const [source, targets] of graph) for (const target of targets) back.get(target)?.push(source);
  return back;
}
