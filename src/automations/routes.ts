import { Type } from "@sinclair/typebox";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { parseAutomationChange, parseNewAutomation } from "#automations/flow/automation-input.ts";
import { flowSchema } from "#automations/flow/flow-schema.ts";
import { parseAutomationFilter, parseEnrollmentFilter, parseEnrollmentInclude } from "./filter.ts";
import {
  automationChangeBody,
  automationQuery,
  automationSchema,
  automationWire,
  enrollmentQuery,
  enrollmentSchema,
  enrollmentView,
  newAutomationBody,
  nodeFiguresSchema,
  problemSchema,
} from "./schema.ts";
import {
  FOREIGN_AUTOMATION_FIELDS,
  FOREIGN_AUTOMATION_FILTERS,
  FOREIGN_ENROLLMENT_FILTERS,
} from "./foreign-names.ts";
import type { AutomationService, Stops } from "./service.ts";

/** /automations (docs/contract.md "Automations"; the routes for flow and problems are our extensions). */
export function automationRoutes(automations: AutomationService, stops: Stops): Route[] {
  return [...collection(automations), ...single(automations), ...views(automations, stops)];
}

function collection(automations: AutomationService): Route[] {
  return [
    route({
      method: "GET",
      path: "/automations",
      summary: "List automations",
      description: "Newest first, without their flows.",
      query: automationQuery,
      foreign: { query: FOREIGN_AUTOMATION_FILTERS },
      answers: { 200: pageOf(automationSchema) },
      handle: async (call) => {
        const status = unwrap(parseAutomationFilter(call.query));
        return call.page(
          await automations.page(call.workspaceId, status, call.pageRequest()),
          automationWire,
        );
      },
    }),
    route({
      method: "POST",
      path: "/automations",
      summary: "Create an automation",
      description: "A DRAFT with one trigger node: new subscriber joins.",
      body: newAutomationBody,
      foreign: { body: FOREIGN_AUTOMATION_FIELDS },
      answers: { 201: dataOf(automationSchema) },
      handle: async (call) =>
        created(
          automationWire(await automations.create(call.workspaceId, unwrap(parseNewAutomation(call.body())))),
        ),
    }),
  ];
}

function single(automations: AutomationService): Route[] {
  return [
    route({
      method: "GET",
      path: "/automations/:id",
      summary: "Read an automation",
      description: "Without its flow, which has a route of its own.",
      answers: { 200: dataOf(automationSchema) },
      handle: async (call) => ok(automationWire(await automations.find(call.workspaceId, call.params.id))),
    }),
    route({
      method: "PATCH",
      path: "/automations/:id",
      summary: "Change, publish or pause an automation",
      description:
        "While it is PAUSED, nobody enters and nobody moves. When it is LIVE again, everybody continues where they were. Going LIVE is never refused for what the flow says.",
      body: automationChangeBody,
      foreign: { body: FOREIGN_AUTOMATION_FIELDS },
      answers: { 200: dataOf(automationSchema) },
      errors: { AUTOMATION_WRONG_STATE: "The status may not change that way." },
      handle: async (call) => {
        const id = call.params.id;
        await automations.find(call.workspaceId, id);
        const change = unwrap(parseAutomationChange(call.body()));
        return ok(automationWire(await automations.change(call.workspaceId, id, change)));
      },
    }),
    route({
      method: "DELETE",
      path: "/automations/:id",
      summary: "Delete an automation",
      description: "Its runs end where they stand, and no mail of it goes out any more.",
      answers: { 204: null },
      handle: async (call) => {
        await automations.delete(call.workspaceId, call.params.id);
        return noContent();
      },
    }),
  ];
}

function views(automations: AutomationService, stops: Stops): Route[] {
  return [
    route({
      method: "GET",
      path: "/automations/:id/enrollments",
      summary: "List the contacts in an automation",
      description: "Those who entered last come first. `include=email` shows their addresses.",
      query: enrollmentQuery,
      foreign: { query: FOREIGN_ENROLLMENT_FILTERS },
      answers: { 200: pageOf(enrollmentSchema) },
      handle: async (call) => {
        const id = call.params.id;
        await automations.find(call.workspaceId, id);
        const filter = unwrap(parseEnrollmentFilter(call.query));
        const withEmail = unwrap(parseEnrollmentInclude(call.query));
        const page = await automations.enrollments(call.workspaceId, id, filter, call.pageRequest());
        return call.page(page, enrollmentView(withEmail));
      },
    }),
    route({
      method: "GET",
      path: "/automations/:id/flow",
      summary: "Read an automation's flow",
      description: "As it was saved, unknown members too.",
      answers: { 200: dataOf(flowSchema) },
      handle: async (call) => ok(await automations.flow(call.workspaceId, call.params.id)),
    }),
    route({
      method: "GET",
      path: "/automations/:id/stats",
      summary: "Read the figures of runs and mails at each node",
      description:
        "All nodes in the order of the flow, then those that were removed from it. A contact who entered a node is `waiting` there, has `completed` it or has `failed` there; a contact who comes again counts again.",
      answers: { 200: dataOf(nodeFiguresSchema) },
      handle: async (call) => ok(await automations.stats(call.workspaceId, call.params.id)),
    }),
    route({
      method: "GET",
      path: "/automations/:id/problems",
      summary: "List what is wrong with an automation",
      description:
        "What would make a run fail or never happen, what is being tried again, and how many messages of a step wait until something is put right. Empty where all is well.",
      answers: {
        200: dataOf(
          Type.Array(problemSchema, {
            description: "The problems, in the order of the flow; empty when all is well.",
          }),
        ),
      },
      handle: async (call) => ok(await automations.problems(call.workspaceId, call.params.id, stops)),
    }),
  ];
}
