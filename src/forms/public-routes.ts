/**
 * The public side of forms (docs/decisions.md "Public pages"): no key, for browsers with and without
 * JavaScript and for programs.
 */
import { AppError } from "#core/errors.ts";
import { isAllowedOrigin } from "#http/cors.ts";
import { readFormBody, type FormFields } from "#http/form-body.ts";
import { publicRoute, type PublicCall, type PublicOperation, type PublicRoute } from "#http/public-route.ts";
import { embedScript } from "#pages/embed-script.ts";
import { formLook } from "#pages/form-look.ts";
import { shownFields } from "#pages/form-fields.ts";
import { answerPage, formPage, type FormView } from "#pages/form-page.ts";
import { PRIVATE_HEADERS } from "#pages/page-headers.ts";
import { answers, refusals, type Answers } from "#pages/submit-answer.ts";
import { attributeFields, DEFAULT_SUCCESS_MESSAGE } from "./form.ts";
import { embedOperation, hostedOperation, submitOperation } from "./public-schema.ts";
import { asker } from "./asker.ts";
import { FILL_MIN_MS, SHOWN_FIELD, trapField } from "./robot.ts";
import type { OpenForm, SignupService } from "./signup-service.ts";
import { parseSubmission } from "./submission.ts";

/**
 * Shown on pages only, where the default message would say too much. The API always answers the form's own
 * message.
 */
const ONE_MORE_STEP = "Thanks! One more step.";
const INBOX_NOTE =
  "Please look into your inbox: unless this address is subscribed already, an email with a link to confirm is on its way.";
const HASTY = "That was very quick. Please press the button once more.";

type FormCall = PublicCall<"/api/forms/:id/submit">;

type ViewOf = (open: OpenForm) => FormView;

/** @param baseUrl where the public pages are, without a trailing slash */
export function signupRoutes(signups: SignupService, baseUrl: string): PublicRoute[] {
  const base = new URL(baseUrl);
  const viewOf = formViews(signups, base.pathname.replace(/\/+$/, ""));
  return [
    publicRoute({
      method: "POST",
      path: "/api/forms/:id/submit",
      documented: submitOperation,
      originsAllowed: ({ id }) => signups.allowedOrigins(id),
      handle: submitting(signups, base.host, viewOf),
    }),
    shown("/forms/:id", hostedOperation, signups, (open) => formPage(viewOf(open)), noFormPage),
    shown(
      "/forms/:id/embed.js",
      embedOperation,
      signups,
      (open) =>
        embedScript({
          ...viewOf(open),
          formId: open.form.id,
          waitMs: FILL_MIN_MS,
          thanks: thanksOf(open),
          note: noteOf(open),
        }),
      () =>
        new Response("", {
          status: 404,
          headers: { ...PRIVATE_HEADERS, "Content-Type": "text/javascript; charset=utf-8" },
        }),
    ),
  ];
}

const formViews =
  (signups: SignupService, root: string): ViewOf =>
  ({ form, settings }) => ({
    formName: form.name,
    workspaceName: settings.name,
    action: `${root}/api/forms/${form.id}/submit`,
    fields: shownFields(form.fields, attributeFields(form.fields)),
    look: formLook(form.style),
    seal: { name: SHOWN_FIELD, value: signups.shownToken(form.id) },
    trapName: trapField(form.fields),
  });

/** Checks who asks and from where, then reads the body and has it judged. */
function submitting(signups: SignupService, host: string, viewOf: ViewOf) {
  const judged = judging(signups, viewOf);
  return async (call: FormCall): Promise<Response> => {
    const admission = await signups.admit(call.clientAddress);
    const open = await signups.open(call.params.id);
    const answer = answers(call.request, open && submitted(open));
    if (!admission.admitted)
      return answer.refused(refusals.tooMany, { "Retry-After": String(admission.retryAfterS) });
    if (open === null) return answer.refused(refusals.noForm);
    const ownHosts = [host, call.request.headers.get("host")];
    if (!isAllowedOrigin(originOf(call), ownHosts, open.settings.allowedOrigins))
      return answer.refused(refusals.foreignSite);
    const fields = await readFormBody(call).catch(ifRefused);
    if (fields instanceof AppError)
      return answer.refused(fields.code === "REQUEST_TIMEOUT" ? refusals.tooSlow : refusals.tooLarge);
    return judged(call, open, fields, answer);
  };
}

/** A robot gets the same answer as a person, but nothing is done. */
function judging(signups: SignupService, viewOf: ViewOf) {
  return async (call: PublicCall, open: OpenForm, fields: FormFields, answer: Answers): Promise<Response> => {
    const judgement = signups.judge(open.form, fields);
    if (judgement === "robot") return answer.thanks(noteOf(open));
    const showAgain = (error: string): Response | null =>
      judgement === "plain" || !answer.isPage
        ? null
        : formPage({ ...viewOf(open), again: { status: 400, error, typed: fields } });
    if (judgement === "hasty") return showAgain(HASTY) ?? answer.refused({ status: 400, error: HASTY });
    const submission = parseSubmission(fields, attributeFields(open.form.fields));
    if (!submission.ok) {
      const { message } = submission.refusal;
      return showAgain(message) ?? answer.refused({ status: 400, error: message });
    }
    const outcome = await signups.submit(open, submission.value, asker(call));
    if (outcome === "joined" || outcome === "leftAlone" || outcome === "mayReturn")
      return answer.thanks(noteOf(open));
    return answer.refused(refusals[outcome]);
  };
}

/** A route that shows something of a form. */
const shown = (
  path: "/forms/:id" | "/forms/:id/embed.js",
  documented: PublicOperation,
  signups: SignupService,
  show: (open: OpenForm) => Response,
  gone: () => Response,
): PublicRoute =>
  publicRoute({
    method: "GET",
    path,
    documented,
    async handle(call) {
      const open = await signups.open(call.params.id);
      return open === null ? gone() : show(open);
    },
  });

const noFormPage = (): Response =>
  answerPage({
    status: 404,
    title: "No such form",
    message: "This form does not exist.",
    note: "It may have been taken down.",
  });

const submitted = (open: OpenForm) => ({
  workspaceName: open.settings.name,
  message: open.form.successMessage,
  thanks: thanksOf(open),
});

const thanksOf = ({ form, settings }: OpenForm): string =>
  settings.doubleOptIn && form.successMessage === DEFAULT_SUCCESS_MESSAGE
    ? ONE_MORE_STEP
    : form.successMessage;

/** The same for everybody, so that it reveals nothing about the address. */
const noteOf = ({ settings }: OpenForm): string | null => (settings.doubleOptIn ? INBOX_NOTE : null);

const originOf = ({ request }: PublicCall): string | null => request.headers.get("origin");

/** Replaces the message for a body that is too large or too slow. */
function ifRefused(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
