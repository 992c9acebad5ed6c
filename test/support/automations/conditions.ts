import { evaluate } from "#automations/run/step/condition.ts";
import type { Facts } from "#automations/run/step/facts.ts";
import type { FlowStep } from "#automations/flow/flow-step.ts";
import { readNode } from "#automations/flow/node.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import { ABOUT_ADA, NOW } from "./flows.ts";

/** The step of a node with this data. */
export const stepOf = (type: string, data: JsonObject): FlowStep => {
  const reading = readNode({ type, data });
  if (!reading.ok) throw new Error(reading.problems[0]?.message);
  return reading.value;
};

/** Whether a condition is true of Ada. */
export function holds(data: JsonObject, facts: Partial<Facts> = {}, now = NOW): boolean {
  const condition = stepOf("condition", data);
  return condition.type === "condition" && evaluate(condition, { ...ABOUT_ADA, ...facts }, now);
}
