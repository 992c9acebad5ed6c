import { accept, type Result } from "#core/errors.ts";
import { parseLiquid, type LiquidScope } from "#mail/liquid.ts";
import type { Facts } from "./facts.ts";

/** Whom a mail is for, and the event that started the run. */
export type LiquidSource = Pick<Facts, "contact" | "event">;

/** What a template of an automation mail sees (decisions, section 7): `contact` and `event`. `event` is empty where none started the run. */
export function liquidScope({ contact, event }: LiquidSource): LiquidScope {
  const { email, firstName, lastName, tags, status } = contact;
  return {
    contact: { email, firstName, lastName, tags, status },
    event:
      event === null
        ? {}
        : {
            name: event.name,
            properties: event.properties,
            valueCents: event.valueCents,
            currency: event.currency,
            createdAt: new Date(event.createdAt).toISOString(),
          },
  };
}

/**
 * The mail of one contact: Liquid filled in, values HTML-escaped in `html`, `subject` on one line. MJML is compiled to HTML before it
 * gets here, so that a contact's values never reach the compiler. A refusal is the run's `errorMessage`.
 */
export function fillMail(
  mail: { readonly subject: string; readonly html: string },
  scope: LiquidScope,
): Result<{ subject: string; html: string }> {
  const subject = filled(mail.subject, "line", scope);
  if (!subject.ok) return subject;
  const html = filled(mail.html, "html", scope);
  return html.ok ? accept({ subject: subject.value, html: html.value }) : html;
}

function filled(source: string, kind: "line" | "html", scope: LiquidScope): Result<string> {
  const template = parseLiquid(source, kind);
  return template.ok ? template.value.render(scope) : template;
}
