import { prefersHtml } from "#http/accept.ts";
import { preferredLanguage } from "#texts/language.ts";
import { textsIn } from "#texts/texts.ts";
import { answerPage, noSenderPage } from "./form-page.ts";
import { PRIVATE_HEADERS } from "#pages/page-headers.ts";
import type { SenderLook } from "#pages/sender-page.ts";

/**
 * The reasons why a submission is not accepted, each with its status. The words for the person who filled in
 * the form are in the catalogue under the same name (docs/contract.md "Forms": errors are plain strings).
 */
const REFUSALS = {
  tooMany: 429,
  noForm: 404,
  foreignSite: 403,
  tooLarge: 413,
  tooSlow: 408,
  bounced: 400,
  domainBlocked: 400,
  hasty: 400,
} as const;

type Refusal = keyof typeof REFUSALS;

export type Answers = {
  /** Whether the answer is a page: a browser posted the form directly. */
  readonly isPage: boolean;
  thanks(note: string | null): Response;
  refused(refusal: Refusal, headers?: Readonly<Record<string, string>>): Response;
  /** What was typed is wrong. */
  invalid(error: string): Response;
};

type SubmittedForm = {
  readonly look: SenderLook;
  /** The form's success message, for programs. */
  readonly message: string;
  /** The same, for people. */
  readonly thanks: string;
};

/**
 * A site's own form may stand in a frame, as site builders put it. There the browser would say to somebody who is signed
 * up that we refused to connect.
 */
const mayBeFramed = true;

/**
 * The answers to one submission: a small page if a browser posted the form directly, otherwise JSON. Both
 * have the same status. Where there is no form, they are in the language of the reader's browser.
 */
export function answers(request: Request, form: SubmittedForm | null): Answers {
  const isPage = prefersHtml(request.headers.get("accept"));
  const language = form?.look.language ?? preferredLanguage(request.headers.get("accept-language"));
  const { form: texts } = textsIn(language);
  const no = (
    status: number,
    error: string,
    note: string,
    headers: Readonly<Record<string, string>> = {},
  ): Response => {
    if (!isPage) return Response.json({ error }, { status, headers: { ...PRIVATE_HEADERS, ...headers } });
    const page = { status, title: texts.refusedTitle, message: error, note, headers, mayBeFramed };
    return form === null ? noSenderPage(language, page) : answerPage({ ...page, look: form.look });
  };
  return {
    isPage,
    thanks: (note) =>
      isPage && form !== null
        ? answerPage({
            status: 200,
            title: texts.thanksTitle,
            message: form.thanks,
            note,
            look: form.look,
            mayBeFramed,
          })
        : Response.json({ ok: true, message: form?.message ?? "" }, { headers: PRIVATE_HEADERS }),
    refused: (refusal, headers) =>
      no(REFUSALS[refusal], texts[refusal], refusal === "noForm" ? texts.takenDown : texts.back, headers),
    invalid: (error) => no(400, error, texts.back),
  };
}
