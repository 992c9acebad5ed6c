/**
 * The public side of forms (docs/decisions.md "Public pages"): no key, for browsers with and without
 * JavaScript and for programs.
 */
import { rootOf } from "#core/addresses/base-url.ts";
import { AppError } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import { isAllowedOrigin } from "#http/client/cors.ts";
import { readFormBody, type FormFields } from "#http/body/form-body.ts";
import {
  publicRoute,
  type PublicCall,
  type PublicOperation,
  type PublicRoute,
} from "#http/routes/public-route.ts";
import { embedScript } from "#pages/forms/embed-script.ts";
import { formLook } from "#pages/forms/form-look.ts";
import { shownFields } from "#pages/forms/form-fields.ts";
import { formPage, noSenderPage, type FormView } from "#pages/forms/form-page.ts";
import { PRIVATE_HEADERS } from "#pages/page-headers.ts";
import { answers, type Answers } from "#pages/forms/submit-answer.ts";
import { formTrouble } from "#pages/trouble.ts";
import { preferredLanguage, type Language } from "#texts/language.ts";
import { filledIn, textsIn } from "#texts/texts.ts";
import { attributeFields, DEFAULT_SUCCESS_MESSAGE } from "#forms/form.ts";
import { embedOperation, hostedOperation, submitOperation } from "./public-schema.ts";
import { askerOf } from "#core/request/asker.ts";
import { FILL_MIN_MS, SHOWN_FIELD, trapField } from "./robot.ts";
import { isAccepted } from "./signup-plan.ts";
import type { OpenForm, SignupService } from "./signup-service.ts";
import { parseSubmission, type SubmissionProblem } from "./submission.ts";

type FormCall = PublicCall<"/api/forms/:id/submit">;

type ViewOf = (open: OpenForm) => FormView;

/** @param baseUrl where the public pages are, without a trailing slash */
export function signupRoutes(signups: SignupService, baseUrl: string): PublicRoute[] {
  const viewOf = formViews(signups, rootOf(baseUrl));
  return [
    publicRoute({
      method: "POST",
      path: "/api/forms/:id/submit",
      documented: submitOperation,
      originsAllowed: ({ id }) => signups.allowedOrigins(id),
      trouble: formTrouble,
      handle: submitting(signups, new URL(baseUrl).host, viewOf),
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
          language: open.look.language,
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
  ({ form, look }) => ({
    formName: form.name,
    sender: look,
    action: `${root}/api/forms/${form.id}/submit`,
    fields: shownFields(form.fields, attributeFields(form.fields), look.language),
    look: formLook(form.style, look),
    seal: { name: SHOWN_FIELD, value: signups.shownToken(form) },
    trapName: trapField(form.fields),
  });

/** A form's own page. @param baseUrl where the public pages are, without a trailing slash */
export function formPages(signups: SignupService, baseUrl: string): (open: OpenForm) => Response {
  const viewOf = formViews(signups, rootOf(baseUrl));
  return (open) => formPage(viewOf(open));
}

/** Checks who asks and from where, then reads the body and has it judged. */
function submitting(signups: SignupService, host: string, viewOf: ViewOf) {
  const judge = judging(signups, viewOf);
  return async (call: FormCall): Promise<Response> => {
    const admission = await signups.admit(call.clientAddress);
    const open = await signups.open(call.params.id);
    const answer = answers(call.request, open && submitted(open));
    if (!admission.admitted)
      return answer.refused("tooMany", { "Retry-After": String(admission.retryAfterS) });
    if (open === null) return answer.refused("noForm");
    const ownHosts = [host, call.request.headers.get("host")];
    if (!isAllowedOrigin(originOf(call), ownHosts, open.settings.allowedOrigins))
      return answer.refused("foreignSite");
    const fields = await readFormBody(call).catch(ifRefused);
    if (fields instanceof AppError) return ofUnreadable(fields, answer);
    return judge(call, open, fields, answer);
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
    const { form: texts } = textsIn(open.look.language);
    if (judgement === "hasty") return showAgain(texts.hasty) ?? answer.refused("hasty");
    const submission = parseSubmission(fields, attributeFields(open.form.fields));
    if (!submission.ok) {
      const error = problemText(submission.problem, open.look.language);
      return showAgain(error) ?? answer.invalid(error);
    }
    const outcome = await signups.submit(open, submission.value, askerOf(call));
    if (isAccepted(outcome)) return answer.thanks(noteOf(open));
    return answer.refused(outcome === "formGone" ? "noForm" : outcome);
  };
}

/**
 * The words for the person at the form. Fields have the names that the form shows. For a bad address, English
 * says exactly what is wrong; the other languages have one sentence for all cases.
 */
function problemText(problem: SubmissionProblem, language: Language): string {
  const { form: texts } = textsIn(language);
  if (problem.kind === "badAddress" && language === "en") return problem.message;
  if (!("field" in problem)) return texts[problem.kind];
  const { kind, field } = problem;
  const label = field === "email" || field === "firstName" || field === "lastName" ? texts[field] : field;
  const max = kind === "tooLong" ? String(problem.max) : "";
  return filledIn(texts[kind], { field: quoted(label), max });
}

/** A route that shows something of a form. */
const shown = (
  path: "/forms/:id" | "/forms/:id/embed.js",
  documented: PublicOperation,
  signups: SignupService,
  show: (open: OpenForm) => Response,
  gone: (request: Request) => Response,
): PublicRoute =>
  publicRoute({
    method: "GET",
    path,
    documented,
    async handle(call) {
      const open = await signups.open(call.params.id);
      return open === null ? gone(call.request) : show(open);
    },
  });

function noFormPage({ headers }: Request): Response {
  const language = preferredLanguage(headers.get("accept-language"));
  const { form: texts } = textsIn(language);
  return noSenderPage(language, {
    status: 404,
    title: texts.noFormTitle,
    message: texts.noForm,
    note: texts.takenDown,
  });
}

const submitted = (open: OpenForm) => ({
  look: open.look,
  message: open.form.successMessage,
  thanks: thanksOf(open),
});

/**
 * Shown on pages. The default message is in the form's language; if it would reveal too much, another one replaces
 * it. The API always answers the form's own message.
 */
function thanksOf({ form, settings, look }: OpenForm): string {
  const { form: texts } = textsIn(look.language);
  if (form.successMessage !== DEFAULT_SUCCESS_MESSAGE) return form.successMessage;
  return settings.doubleOptIn ? texts.oneMoreStep : texts.thanks;
}

/** The same for everybody, so that it reveals nothing about the address. */
const noteOf = ({ settings, look }: OpenForm): string | null =>
  settings.doubleOptIn ? textsIn(look.language).form.inbox : null;

const originOf = ({ request }: PublicCall): string | null => request.headers.get("origin");

/** Only programs compress a body, or send other letters: they get the reason as it is. */
function ofUnreadable({ code, message }: AppError, answer: Answers): Response {
  if (code === "VALIDATION_ERROR") return answer.invalid(message);
  return answer.refused(code === "REQUEST_TIMEOUT" ? "tooSlow" : "tooLarge");
}

/** Replaces the message for a body that is too large or too slow. */
function ifRefused(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
