import { Type } from "@sinclair/typebox";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import type { Form } from "./form.ts";
import { parseFormChange, parseNewForm } from "./form-input.ts";
import { formChangeBody, formFiguresSchema, formSchema, formWire, newFormBody } from "./schema.ts";
import { FOREIGN_FORM_FIELDS, FOREIGN_FORM_FILTERS } from "./foreign-names.ts";
import type { FormService } from "./service.ts";

type FormAsJson = (form: Form) => ReturnType<typeof formWire>;

/** /forms (docs/contract.md "Forms"). @param baseUrl where the public pages are, without a trailing slash */
export function formRoutes(forms: FormService, baseUrl: string): Route[] {
  const wire = (form: Form) => formWire(form, baseUrl);
  return [...collection(forms, wire), ...single(forms, wire)];
}

function collection(forms: FormService, wire: FormAsJson): Route[] {
  return [
    route({
      method: "GET",
      path: "/forms",
      summary: "List sign-up forms",
      description: "Newest first.",
      query: Type.Object(pageQuery),
      foreign: { query: FOREIGN_FORM_FILTERS },
      answers: { 200: pageOf(formSchema) },
      handle: async (call) => call.page(await forms.page(call.workspaceId, call.pageRequest()), wire),
    }),
    route({
      method: "POST",
      path: "/forms",
      summary: "Create a sign-up form",
      description: "Its public submit address is `embedUrl`.",
      body: newFormBody,
      foreign: { body: FOREIGN_FORM_FIELDS },
      answers: { 201: dataOf(formSchema) },
      errors: { NOT_FOUND: "`listId` is no list of this workspace." },
      handle: async (call) =>
        created(wire(await forms.create(call.workspaceId, unwrap(parseNewForm(call.body()))))),
    }),
  ];
}

function single(forms: FormService, wire: FormAsJson): Route[] {
  return [
    route({
      method: "GET",
      path: "/forms/:id",
      summary: "Read a sign-up form",
      description: "With its look and its public submit address.",
      answers: { 200: dataOf(formSchema) },
      handle: async (call) => ok(wire(await forms.find(call.workspaceId, call.params.id))),
    }),
    route({
      method: "PATCH",
      path: "/forms/:id",
      summary: "Change a sign-up form",
      description: "Send only the fields to change.",
      body: formChangeBody,
      foreign: { body: FOREIGN_FORM_FIELDS },
      answers: { 200: dataOf(formSchema) },
      errors: { NOT_FOUND: "No such form in this workspace, or `listId` is no list of it." },
      handle: async (call) => {
        const id = call.params.id;
        await forms.find(call.workspaceId, id);
        return ok(wire(await forms.change(call.workspaceId, id, unwrap(parseFormChange(call.body())))));
      },
    }),
    route({
      method: "GET",
      path: "/forms/:id/stats",
      summary: "Read the figures of a form's submissions",
      description: "Since it was made.",
      answers: { 200: dataOf(formFiguresSchema) },
      handle: async (call) => ok(await forms.figures(call.workspaceId, call.params.id)),
    }),
    route({
      method: "DELETE",
      path: "/forms/:id",
      summary: "Delete a sign-up form",
      description: "Contacts and lists stay, and links in confirmation mails still work.",
      answers: { 204: null },
      handle: async (call) => {
        await forms.delete(call.workspaceId, call.params.id);
        return noContent();
      },
    }),
  ];
}
