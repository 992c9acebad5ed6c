import { quoted } from "#core/text.ts";
import { readAction } from "./action.ts";
import { readCondition } from "#automations/run/condition-test.ts";
import type { FlowNode } from "./flow.ts";
import type { FlowStep } from "./flow-step.ts";
import { read, unreadable, type Reading } from "./reading.ts";
import { readTrigger } from "./trigger-node.ts";
import { readWait } from "./wait.ts";

/**
 * Reading a node's templates takes longer than performing its step, and a node that was read never changes.
 * So readings are kept.
 */
const readings = new WeakMap<object, Reading<FlowStep>>();

/** What a node does, or everything that is wrong with its type and data. It reads only the node. */
export function readNode(node: Pick<FlowNode, "type" | "data">): Reading<FlowStep> {
  const reading = readings.get(node) ?? readAnew(node);
  readings.set(node, reading);
  return reading;
}

function readAnew({ type, data }: Pick<FlowNode, "type" | "data">): Reading<FlowStep> {
  switch (type) {
    case "trigger":
      return mapped(readTrigger(data), (trigger) => ({ type, ...trigger }));
    case "wait":
      return mapped(readWait(data), (wait) => ({ type, wait }));
    case "condition":
      return mapped(readCondition(data), (condition) => ({ type, ...condition }));
    case "action":
      return mapped(readAction(data), (action) => ({ type, action }));
    case "end":
      return read({ type });
    default:
      return unreadable(
        "type",
        `The type ${quoted(type)} is not known: it must be trigger, wait, condition, action or end.`,
      );
  }
}

const mapped = <T>(reading: Reading<T>, step: (value: T) => FlowStep): Reading<FlowStep> =>
  reading.ok ? read(step(reading.value)) : reading;
