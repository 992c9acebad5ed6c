import type { MailParts } from "./mail-parts.ts";

/** How out-of-office programs begin their subjects, for mails that nothing else identifies as automatic. */
const SUBJECT =
  /^\s*(?:(?:re|aw|sv): ?)?(?:auto(?:matic|mated)?[ -]?(?:reply|response|antwort)|out of (?:the )?office|away (?:from|until)|abwesenheit|automatische antwort|r.ponse automatique|respuesta autom.tica|risposta automatica|resposta autom.tica|automatisch antwoord|自動応答|不在)/i;

const header = ({ headers }: MailParts, name: string): string =>
  headers
    .find(([key]) => key === name)?.[1]
    .trim()
    .toLowerCase() ?? "";

/** Whether a program answered, not a person (RFC 3834, 5; older programs write `X-Autoreply` and similar fields). */
export function isAutoReply(mail: MailParts): boolean {
  const submitted = header(mail, "auto-submitted").split(/[\s;(]/, 1)[0] ?? "";
  if (submitted !== "" && submitted !== "no") return true;
  if (["x-autoreply", "x-autorespond", "x-auto-response"].some((name) => header(mail, name) !== ""))
    return true;
  if (["auto_reply", "auto-reply"].includes(header(mail, "precedence"))) return true;
  return SUBJECT.test(mail.subject);
}
