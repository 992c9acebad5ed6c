import type { ActionData, TriggerData } from "../api/api.gen.ts";
import type { Data, Flow, FlowNode } from "./flow.ts";

/** What somebody can put on the canvas, in the groups and the order of the palette. */
export const NODE_GROUPS = {
  starts: ["newSubscriber", "tagAdded", "customEvent"],
  waits: ["wait", "condition"],
  does: [
    "sendEmail",
    "addTag",
    "removeTag",
    "addToList",
    "removeFromList",
    "setField",
    "webhook",
    "unsubscribe",
  ],
  ends: ["end"],
} as const;

export type NodeGroup = keyof typeof NODE_GROUPS;
export type NodeKind = (typeof NODE_GROUPS)[NodeGroup][number];

export const NODE_KINDS: readonly NodeKind[] = Object.values(NODE_GROUPS).flat();

/** The console's names for the server's triggers and actions. One that is missing here does not compile. */
const TRIGGERS: Readonly<Record<TriggerData["trigger"], NodeKind>> = {
  new_subscriber: "newSubscriber",
  tag_added: "tagAdded",
  custom_event: "customEvent",
};
const ACTIONS: Readonly<Record<ActionData["action"], NodeKind>> = {
  send_email: "sendEmail",
  add_tag: "addTag",
  remove_tag: "removeTag",
  add_to_list: "addToList",
  remove_from_list: "removeFromList",
  set_field: "setField",
  webhook: "webhook",
  unsubscribe: "unsubscribe",
};

/** A new node of each kind, as the API takes it. */
const NEW: Readonly<Record<NodeKind, { readonly type: string; readonly data: Data }>> = {
  newSubscriber: { type: "trigger", data: { trigger: "new_subscriber" } },
  tagAdded: { type: "trigger", data: { trigger: "tag_added", tag: "" } },
  customEvent: { type: "trigger", data: { trigger: "custom_event", eventName: "" } },
  wait: { type: "wait", data: { amount: 1, unit: "days" } },
  condition: { type: "condition", data: { all: [{ field: "tag", op: "equals", value: "" }] } },
  sendEmail: { type: "action", data: { action: "send_email", subject: "", html: "" } },
  addTag: { type: "action", data: { action: "add_tag", tag: "" } },
  removeTag: { type: "action", data: { action: "remove_tag", tag: "" } },
  addToList: { type: "action", data: { action: "add_to_list", listId: "" } },
  removeFromList: { type: "action", data: { action: "remove_from_list", listId: "" } },
  setField: { type: "action", data: { action: "set_field", field: "firstName", value: "" } },
  webhook: { type: "action", data: { action: "webhook", url: "" } },
  unsubscribe: { type: "action", data: { action: "unsubscribe" } },
  end: { type: "end", data: {} },
};

/** Which kind a node is; null for one that the console does not know and does not touch. */
export function kindOf({ type, data }: Pick<FlowNode, "type" | "data">): NodeKind | null {
  switch (type) {
    case "trigger":
      return kindIn(TRIGGERS, data["trigger"]);
    case "action":
      return kindIn(ACTIONS, data["action"]);
    case "wait":
    case "condition":
    case "end":
      return type;
    default:
      return null;
  }
}

const kindIn = (kinds: Readonly<Record<string, NodeKind>>, name: unknown): NodeKind | null =>
  typeof name === "string" && Object.hasOwn(kinds, name) ? (kinds[name] ?? null) : null;

export const isTrigger = (node: Pick<FlowNode, "type">): boolean => node.type === "trigger";

/** A new node with an id that the flow does not have: its kind, with a number if that is taken. */
export function newNode(flow: Flow, kind: NodeKind): FlowNode {
  const taken = new Set(flow.nodes.map(({ id }) => id));
  const word = kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  let id = word;
  for (let number = 2; taken.has(id); number++) id = `${word}-${number}`;
  const { type, data } = NEW[kind];
  return { id, type, data };
}
