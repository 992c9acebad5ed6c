import { readNode } from "#automations/flow/node.ts";

/** The names that the engine reads, taken from its refusals: "must be a, b or c." */
function namesFrom(type: string): readonly string[] {
  const reading = readNode({ type, data: {} });
  const refusal = reading.ok ? "" : reading.problems[0]!.message;
  return /must be (.*)\.$/
    .exec(refusal)![1]!
    .replaceAll("`", "")
    .split(/, | or /);
}

export const nodeTypes = (): readonly string[] => namesFrom("none");
export const triggerNames = (): readonly string[] => namesFrom("trigger");
export const actionNames = (): readonly string[] => namesFrom("action");
