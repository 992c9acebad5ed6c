import { isJsonObject } from "#core/request/json-value.ts";
import type { Data, Problem } from "#core/request/reading.ts";
import { hasLiquid } from "./attribute-action.ts";
import type { FlowNode } from "./flow.ts";
import type { FlowStep } from "./flow-step.ts";

/**
 * What the author of a node wrote and the engine does not heed. These are warnings: the step is performed without it,
 * and the run itself shows nothing of that.
 */
export function unheeded({ data }: Pick<FlowNode, "data">, step: FlowStep): Problem[] {
  switch (step.type) {
    case "trigger":
      return step.on.kind === "tag_added" ? literal(data, "tag", TAG) : [];
    case "condition": {
      const tests = data[step.match] as readonly unknown[];
      return tests.flatMap((test, i) =>
        isJsonObject(test) ? unheededInTest(test, `data.${step.match}[${i}]`) : [],
      );
    }
    case "action":
      return unheededInAction(data, step.action.action, "field" in step.action ? step.action.field : null);
    case "wait":
    case "end":
      return [];
  }
}

function unheededInAction(data: Data, action: string, field: string | null): Problem[] {
  if (action === "add_tag" || action === "remove_tag") return literal(data, "tag", TAG);
  if (action === "webhook") return literal(data, "url", ADDRESS);
  return action === "set_field" && field !== "attributes" ? literal(data, "value", NAME) : [];
}

const NAME =
  "The name is written as it stands: Liquid is filled in for attributes only. Write the name itself, or set an attribute.";
const TAG =
  "The tag is taken as it stands: Liquid is filled in for mails and attributes only. Write the tag itself.";
const ADDRESS =
  "The address is called as it stands: Liquid is filled in for mails and attributes only. What is sent there has the contact and the event in it.";
const VALUE =
  "The value is compared as it stands: Liquid is filled in for mails and attributes only. Write the value itself.";

function literal(data: Data, member: string, message: string, path = `data.${member}`): Problem[] {
  const value = data[member];
  return typeof value === "string" && hasLiquid(value) ? [{ path, message }] : [];
}

/** Members that the conditions of segments have. Others are a builder's own. */
function unheededInTest(test: Data, path: string): Problem[] {
  const isGiven = (member: string): boolean => test[member] !== undefined && test[member] !== null;
  const found = literal(test, "value", VALUE, `${path}.value`);
  if (isGiven("where"))
    found.push({
      path: `${path}.where`,
      message:
        "`where` is not looked at: here an event is asked for by its name only. Properties of the event that starts the run are `trigger.<path>`.",
    });
  if (isGiven("withinDays") && test.field !== "event")
    found.push({ path: `${path}.withinDays`, message: "`withinDays` is looked at for events only." });
  return found;
}
