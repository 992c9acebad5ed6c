/** Flows, runs and facts for tests of automations. */
import type { JsonObject } from "#core/request/json-value.ts";
import type { Facts } from "#automations/run/step/facts.ts";
import type { Flow, FlowEdge, FlowNode } from "#automations/flow/flow.ts";
import { step } from "#automations/run/step/step.ts";
import type { RunState, StepOutcome } from "#automations/run/step/step-outcome.ts";

export const NEW_SUBSCRIBER: JsonObject = { trigger: "new_subscriber" };
export const ONE_DAY: JsonObject = { amount: 1, unit: "days" };
export const HELLO: JsonObject = { action: "send_email", subject: "Hello", html: "<p>Hello</p>" };
/** An action that sends a mail. */
export const mail = (subject: string, more: object = {}) => ({
  action: "send_email",
  subject,
  html: "<p>Hello</p>",
  ...more,
});

export const node = (id: string, type: string, data: JsonObject = {}): FlowNode => ({ id, type, data });

/** `a>b`, or of a condition's branch `a>b true`. */
export function edges(...arrows: string[]): FlowEdge[] {
  return arrows.map((arrow) => {
    const [ends = "", branch] = arrow.split(" ");
    const [source = "", target = ""] = ends.split(">");
    return branch === undefined ? { source, target } : { source, target, sourceHandle: branch };
  });
}

/** A trigger `in`, the node under test as `it`, an `end`, one after the other. */
export const flowAround = (type: string, data: JsonObject): Flow => ({
  nodes: [node("in", "trigger", NEW_SUBSCRIBER), node("it", type, data), node("out", "end")],
  edges: edges("in>it", type === "condition" ? "it>out true" : "it>out"),
});

export const standingOn = (currentNodeId: string, more: Partial<RunState> = {}): RunState => ({
  currentNodeId,
  waiting: false,
  steps: 0,
  stepsSinceWait: 0,
  ...more,
});

export const ADA: Facts["contact"] = {
  id: "ct_ada",
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "Lovelace",
  tags: ["vip", "Beta"],
  status: "SUBSCRIBED",
  attributes: { city: "Zürich", age: 36, customer: true, colours: ["red", "green"], empty: "" },
  createdAt: Date.parse("2026-01-05T10:00:00Z"),
};

export const ORDER: NonNullable<Facts["event"]> = {
  id: "ev_1",
  name: "order_placed",
  properties: {
    plan: "Pro",
    seats: 3,
    zip: "01234",
    trial: false,
    coupon: null,
    empty: "",
    cart: { items: [{ sku: "A-1", price: 9.5 }], labels: ["Gift", 7] },
  },
  valueCents: 1999,
  currency: "EUR",
  contactId: "ct_ada",
  createdAt: Date.parse("2026-11-20T08:00:00Z"),
};

/**
 * Ada is on one list of two, has 50 points, placed an order a day ago, opened one mail and clicked in none.
 */
export const ABOUT_ADA: Facts = {
  contact: ADA,
  suppression: null,
  event: ORDER,
  knownListIds: new Set(["ls_news", "ls_other", "ls_left"]),
  memberListIds: new Set(["ls_news"]),
  leftListIds: new Set(["ls_left"]),
  score: 50,
  lastEventAt: new Map([["order_placed", Date.parse("2026-11-20T09:30:00Z")]]),
  openedNodeIds: new Set(["mail-1"]),
  clickedNodeIds: new Set(),
  attributeHolders: new Map(Object.keys(ADA.attributes).map((name) => [name, 1])),
};

export const NOW = Date.parse("2026-11-21T09:30:00Z");

/** The run that is performed. */
export const RUN = { automationId: "au_1", enrollmentId: "en_1" };

export function performed(flow: Flow, state: RunState, facts: Partial<Facts> = {}, now = NOW): StepOutcome {
  return step({ flow, run: RUN, state, facts: { ...ABOUT_ADA, ...facts }, now, zone: "Europe/Berlin" });
}
