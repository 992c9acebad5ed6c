import type { Flow } from "#automations/flow/flow.ts";
import { readNode } from "#automations/flow/node.ts";
import { factsNeeded, type FactsNeeded } from "#automations/run/step/facts.ts";

/**
 * The facts that any node of a flow needs. Mail nodes are not read, because that takes long: they need only the
 * suppression.
 */
export function flowNeeds({ nodes }: Flow): FactsNeeded {
  const all = nodes.flatMap((node) => {
    const reading = node.data.action === "send_email" ? null : readNode(node);
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
