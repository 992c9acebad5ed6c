import { isoOf } from "#core/time/iso.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { filledSubject } from "#mail/letter/subject.ts";
import { FULL, type Allowance } from "#mail/liquid/allowance.ts";
import { parseLiquid, type LiquidScope } from "#mail/liquid/liquid.ts";
import type { Facts } from "#automations/run/step/facts.ts";

/** The contact that a mail is for, and the event that started the run. */
export type LiquidSource = Pick<Facts, "contact" | "event">;

/** The names that a template of an automation mail may use: those that `liquidScope` provides. */
export const MAIL_NAMES = {
  contact: ["email", "firstName", "lastName", "tags", "status", "attributes"],
  event: ["name", "properties", "valueCents", "currency", "createdAt"],
} as const;

/**
 * The values for a template of an automation mail (docs/decisions.md "Automations"): `contact` and `event`. `event`
 * is empty if no event started the run.
 */
export function liquidScope({ contact, event }: LiquidSource): LiquidScope {
  const { email, firstName, lastName, tags, status, attributes } = contact;
  return {
    contact: { email, firstName, lastName, tags, status, attributes },
    event:
      event === null
        ? {}
        : {
            name: event.name,
            properties: event.properties,
            valueCents: event.valueCents,
            currency: event.currency,
            createdAt: isoOf(event.createdAt),
          },
  };
}

export type FilledMail = { readonly subject: string; readonly html: string };

/** A mail whose templates were read once, for many contacts. @throws NeedsThread if the allowance is too small */
export type MailTemplate = { fill(scope: LiquidScope, allowance: Allowance): Result<FilledMail> };

/**
 * Reads a mail's templates once. A template that cannot be read is refused each time it is filled in. Filling in
 * makes one contact's mail: values are HTML-escaped in `html`, and `subject` is on one line. MJML is compiled to
 * HTML before that, so a contact's values never reach the compiler. A refusal becomes the run's `errorMessage`.
 */
export function mailTemplate(mail: FilledMail): MailTemplate {
  const subjectTemplate = parseLiquid(mail.subject, "line");
  const htmlTemplate = parseLiquid(mail.html, "html");
  return {
    fill(scope, allowance) {
      const subject = filledSubject(subjectTemplate, scope, allowance);
      if (!subject.ok) return subject;
      const html = htmlTemplate.ok ? htmlTemplate.value.render(scope, allowance) : htmlTemplate;
      return html.ok ? accept({ subject: subject.value, html: html.value }) : html;
    },
  };
}

/** Fills in a mail with the full allowance: for the command line, where nobody else waits. */
export const fillMail = (mail: FilledMail, scope: LiquidScope): Result<FilledMail> =>
  mailTemplate(mail).fill(scope, FULL);
