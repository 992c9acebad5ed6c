import { unwrap } from "#core/errors/errors.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_FORM_FIELDS } from "./foreign-names.ts";
import { changedForm, parseFormChange } from "./form-input.ts";
import { formChangeBody, formPreviewSchema } from "./schema.ts";
import type { FormService } from "./service.ts";
import type { OpenForm, SignupService } from "./signup/signup-service.ts";

/**
 * What the console shows beside the settings of a form, before they are saved.
 * @param pageOf the form's own page
 */
export const formPreviewRoutes = (
  forms: FormService,
  signups: SignupService,
  pageOf: (open: OpenForm) => Response,
): Route[] => [
  route({
    method: "POST",
    path: "/forms/:id/preview",
    operationId: "showFormPreview",
    summary: "Show a form with changes that are not saved",
    description: "The form's own page as a browser would get it. Nothing is changed.",
    body: formChangeBody,
    foreign: { body: FOREIGN_FORM_FIELDS },
    answers: { 200: dataOf(formPreviewSchema) },
    handle: async (call) => {
      const form = await forms.find(call.workspaceId, call.params.id);
      const content = changedForm(form, unwrap(parseFormChange(call.body())));
      const page = pageOf(await signups.shownAs(call.workspaceId, { ...form, ...content }));
      return ok({ html: await page.text() });
    },
  }),
];
