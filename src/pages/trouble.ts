/**
 * What people see when the service fails (5xx): a full disk, a damaged database. They cannot repair it, so the page
 * does not name the cause; the log does.
 */
import { prefersHtml } from "#http/accept.ts";
import { preferredLanguage } from "#texts/language.ts";
import { textsIn } from "#texts/texts.ts";
import { noSenderPage } from "#pages/forms/form-page.ts";
import { PRIVATE_HEADERS } from "./page-headers.ts";

/** A small page for browsers, in their language; null for programs. */
export function troublePage({ headers }: Pick<Request, "headers">, status: number): Response | null {
  if (!prefersHtml(headers.get("accept"))) return null;
  const language = preferredLanguage(headers.get("accept-language"));
  const { failed } = textsIn(language).form;
  return noSenderPage(language, { status, title: failed, message: failed, note: null });
}

/** The same for a form, which answers programs with a plain string (docs/contract.md "Forms"). */
export function formTrouble(request: Pick<Request, "headers">, status: number): Response {
  const error = textsIn(preferredLanguage(request.headers.get("accept-language"))).form.failed;
  return (
    troublePage(request, status) ?? Response.json({ error }, { status, headers: { ...PRIVATE_HEADERS } })
  );
}
