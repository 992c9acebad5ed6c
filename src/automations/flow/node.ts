import { quoted } from "#core/text/text.ts";
import { readAction } from "./action.ts";
import { readCondition } from "./condition-input.ts";
import type { FlowNode } from "./flow.ts";
import type { FlowStep } from "./flow-step.ts";
import {
  choiceOf,
  mapped,
  read,
  readerOf,
  unreadable,
  type Readers,
  type Reading,
} from "#core/request/reading.ts";
import { readTrigger } from "./trigger-node.ts";
import { readWait } from "./wait.ts";

/**
 * Reading a node's templates takes longer than performing its step, and a node that was read never changes.
 * So readings are kept.
 */
const readings = new WeakMap<object, Reading<FlowStep>>();

/** What a node does, or everything that is wrong with its type and data. Looks at this node only. */
export function readNode(node: Pick<FlowNode, "type" | "data">): Reading<FlowStep> {
  const reading = readings.get(node) ?? readAnew(node);
  readings.set(node, reading);
  return reading;
}

const READERS: Readers<FlowStep["type"], FlowStep> = {
  trigger: (data) => mapped(readTrigger(data), (trigger) => ({ type: "trigger", ...trigger })),
  wait: (data) => mapped(readWait(data), (wait) => ({ type: "wait", wait })),
  condition: (data) => mapped(readCondition(data), (condition) => ({ type: "condition", ...condition })),
  action: (data) => mapped(readAction(data), (action) => ({ type: "action", action })),
  end: () => read({ type: "end" }),
};

function readAnew({ type, data }: Pick<FlowNode, "type" | "data">): Reading<FlowStep> {
  const reader = readerOf(READERS, type);
  return reader === null
    ? unreadable("type", `The type ${quoted(type)} is not known: it must be ${choiceOf(READERS)}.`)
    : reader(data);
}
