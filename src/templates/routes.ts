import { Type } from "@sinclair/typebox";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_RENDER_FIELDS, FOREIGN_TEMPLATE_FIELDS } from "./foreign-names.ts";
import type { RenderTemplate } from "./render-service.ts";
import {
  newTemplateBody,
  renderBody,
  renderedSchema,
  templateChangeBody,
  templateSchema,
  templateWire,
  wholeTemplateSchema,
  wholeTemplateWire,
} from "./schema.ts";
import type { TemplateService } from "./service.ts";
import { parseNewTemplate, parseTemplateChange, parseVariables } from "./template-input.ts";

/** /templates (docs/contract.md "Templates"). */
export const templateRoutes = (templates: TemplateService, render: RenderTemplate): Route[] => [
  ...collection(templates),
  ...single(templates),
  ...rendering(templates, render),
];

const collection = (templates: TemplateService): Route[] => [
  route({
    method: "GET",
    path: "/templates",
    summary: "List the templates",
    description: "Newest first, without their bodies.",
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(templateSchema) },
    handle: async (call) =>
      call.page(await templates.page(call.workspaceId, call.pageRequest()), templateWire),
  }),
  route({
    method: "POST",
    path: "/templates",
    summary: "Create a template",
    description: "A letter that `POST /send` fills in.",
    body: newTemplateBody,
    foreign: { body: FOREIGN_TEMPLATE_FIELDS },
    answers: { 201: dataOf(templateSchema) },
    handle: async (call) =>
      created(templateWire(await templates.create(call.workspaceId, unwrap(parseNewTemplate(call.body()))))),
  }),
];

const rendering = (templates: TemplateService, render: RenderTemplate): Route[] => [
  route({
    method: "POST",
    path: "/templates/:id/render",
    operationId: "showRenderedTemplate",
    summary: "See what a template says",
    description: "Filled in with these variables, and what is wrong with it. Nothing is sent.",
    body: renderBody,
    foreign: { body: FOREIGN_RENDER_FIELDS },
    answers: { 200: dataOf(renderedSchema) },
    handle: async (call) => {
      const template = await templates.find(call.workspaceId, call.params.id);
      const variables = unwrap(parseVariables(call.body())) ?? {};
      return ok(await render(call.workspaceId, template, variables));
    },
  }),
];

const single = (templates: TemplateService): Route[] => [
  route({
    method: "GET",
    path: "/templates/:id",
    summary: "Read a template",
    description: "With its body.",
    answers: { 200: dataOf(wholeTemplateSchema) },
    handle: async (call) => ok(wholeTemplateWire(await templates.find(call.workspaceId, call.params.id))),
  }),
  route({
    method: "PATCH",
    path: "/templates/:id",
    summary: "Change a template",
    description: "Messages that are sent from now on use it.",
    body: templateChangeBody,
    foreign: { body: FOREIGN_TEMPLATE_FIELDS },
    answers: { 200: dataOf(templateSchema) },
    handle: async (call) => {
      const id = call.params.id;
      await templates.find(call.workspaceId, id);
      const change = unwrap(parseTemplateChange(call.body()));
      return ok(templateWire(await templates.change(call.workspaceId, id, change)));
    },
  }),
  route({
    method: "DELETE",
    path: "/templates/:id",
    summary: "Delete a template",
    description: "Messages that name it are refused from now on.",
    answers: { 204: null },
    handle: async (call) => {
      await templates.delete(call.workspaceId, call.params.id);
      return noContent();
    },
  }),
];
