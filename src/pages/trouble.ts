/**
 * What people see when the service fails (5xx): a full disk, a damaged database. They cannot repair it, so the page
 * does not name the cause; the log does.
 */
import { prefersHtml } from "#http/accept.ts";
import { preferredLanguage } from "#texts/language.ts";
import { textsIn } from "#texts/texts.ts";
import { noSenderPage, type AnswerView } from "#pages/forms/form-page.ts";
import { PRIVATE_HEADERS } from "./page-headers.ts";

/** A small page for browsers, in their language; null for programs. */
export const troublePage = ({ headers }: Asking, status: number): Response | null =>
  prefersHtml(headers.get("accept")) ? failedPage(headers, { status, mayBeFramed: false }) : null;

/**
 * The same for a form, which answers programs with a plain string (docs/contract.md "Forms"). The page may stand in a
 * frame, as all answers to a form.
 */
export function formTrouble({ headers }: Asking, status: number): Response {
  if (prefersHtml(headers.get("accept"))) return failedPage(headers, { status, mayBeFramed: true });
  const error = textsIn(preferredLanguage(headers.get("accept-language"))).form.failed;
  return Response.json({ error }, { status, headers: { ...PRIVATE_HEADERS } });
}

type Asking = Pick<Request, "headers">;

function failedPage(headers: Headers, page: Pick<AnswerView, "status" | "mayBeFramed">): Response {
  const language = preferredLanguage(headers.get("accept-language"));
  const { failed } = textsIn(language).form;
  return noSenderPage(language, { ...page, title: failed, message: failed, note: null });
}
