import type { ActionName } from "#automations/flow/flow-step.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { readNode } from "#automations/flow/node.ts";
import { factsNeeded, type FactsNeeded } from "#automations/run/step/facts.ts";

/** They have templates, and need only what is asked for anyway here: the suppression, the holders of attributes. */
const WITH_TEMPLATES: readonly unknown[] = ["send_email", "set_field"] satisfies ActionName[];

/** The facts that any node of a flow needs. Templates are not read, because that takes long and everybody waits. */
export function flowNeeds({ nodes }: Flow): FactsNeeded {
  const all = nodes.flatMap((node) => {
    const hasTemplates = node.type === "action" && WITH_TEMPLATES.includes(node.data.action);
    const reading = hasTemplates ? null : readNode(node);
    return reading?.ok === true ? [factsNeeded(reading.value)] : [];
  });
  return {
    suppression: true,
    score: true,
    attributeHolders: true,
    listIds: all.flatMap(({ listIds }) => listIds),
    eventNames: all.flatMap(({ eventNames }) => eventNames),
    mailNodeIds: all.flatMap(({ mailNodeIds }) => mailNodeIds),
  };
}
