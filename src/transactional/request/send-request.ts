import { parseNameLine } from "#core/text/name-text.ts";
import { parseTags } from "#contacts/tags.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { Attachment } from "#mail/mime/attachment-part.ts";
import type { ExtraHeader } from "#mail/letter/single/transactional-mail.ts";
import { mjmlInHtml } from "#mail/letter/letter-fault.ts";
import { checkSubject } from "#mail/letter/subject.ts";
import { parseAttachments } from "./attachments.ts";
import { parseExtraHeaders } from "./extra-headers.ts";
import { BODY_BYTES_MAX } from "./message-limits.ts";
import { parseRecipients, type Addressee } from "./recipients.ts";
import type { SendBody } from "#transactional/schema.ts";
import { parseVariables, type Variables } from "#templates/template-input.ts";

/** What POST /send asks for. Null means "not given". Without a template there are a subject and a body. */
export type SendRequest = {
  readonly to: readonly Addressee[];
  readonly templateId: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly mjml: string | null;
  readonly text: string | null;
  readonly from: string | null;
  readonly fromName: string | null;
  readonly replyTo: string | null;
  readonly headers: readonly ExtraHeader[];
  readonly tags: readonly string[];
  /** If given, even if empty, the request's own subject and bodies are Liquid. A template's always are. */
  readonly variables: Variables | null;
  readonly attachments: readonly Attachment[];
};

/**
 * Reads the body of POST /send (docs/decisions.md "Transactional send"). `null` for a member means "not
 * sent".
 */
export function parseSendRequest(body: SendBody): Result<SendRequest> {
  const to = parseRecipients(body.to ?? undefined);
  if (!to.ok) return to;
  const template = parseTemplateId(body.templateId);
  if (!template.ok) return template;
  const templateId = template.value;
  const subject = parseSubject(body.subject, templateId !== null);
  if (!subject.ok) return subject;
  const bodies = parseBodies(body, templateId !== null);
  if (!bodies.ok) return bodies;
  const sender = parseSender(body);
  if (!sender.ok) return sender;
  const extras = parseExtras(body);
  if (!extras.ok) return extras;
  const letter = { templateId, subject: subject.value, ...bodies.value };
  return accept({ to: to.value, ...letter, ...sender.value, ...extras.value });
}

function parseTemplateId(value: unknown): Result<string | null> {
  if (value === undefined || value === null || value === "") return accept(null);
  return typeof value === "string" ? accept(value) : invalid("`templateId` must be the id of a template.");
}

function parseSubject(value: unknown, hasTemplate: boolean): Result<string | null> {
  if (hasTemplate && (value === undefined || value === null)) return accept(null);
  if (typeof value !== "string") return invalid("`subject` is required: one line of text.");
  return checkSubject(value.toWellFormed().trim());
}

type Bodies = Pick<SendRequest, "html" | "mjml" | "text">;

function parseBodies(body: SendBody, hasTemplate: boolean): Result<Bodies> {
  const texts: Record<"html" | "body" | "mjml" | "text", string | null> = {
    html: null,
    body: null,
    mjml: null,
    text: null,
  };
  for (const name of ["html", "body", "mjml", "text"] as const) {
    const value = body[name] ?? "";
    if (typeof value !== "string") return invalid(`\`${name}\` must be a string.`);
    if (Buffer.byteLength(value) > BODY_BYTES_MAX)
      return invalid(`\`${name}\` is larger than ${BODY_BYTES_MAX} bytes. Send a shorter one.`);
    texts[name] = value.trim() === "" ? null : value.toWellFormed();
  }
  const { mjml, text } = texts;
  const html = texts.html ?? texts.body;
  if ([texts.html, texts.body, mjml].filter((each) => each !== null).length > 1)
    return invalid("Send one of `html`, `body` (another name for it) and `mjml`, not several.");
  if (!hasTemplate && html === null && mjml === null && text === null)
    return invalid("There is nothing to send: give `html`, `mjml` or `text`, or a `templateId`.");
  const misread = html === null ? null : mjmlInHtml(html);
  return misread === null ? accept({ html, mjml, text }) : invalid(misread);
}

type SenderFields = Pick<SendRequest, "from" | "fromName" | "replyTo">;

function parseSender(body: SendBody): Result<SenderFields> {
  const from = parseOptionalAddress("from", body.from);
  if (!from.ok) return from;
  const replyTo = parseOptionalAddress("replyTo", body.replyTo);
  if (!replyTo.ok) return replyTo;
  const fromName = parseNameLine("fromName", body.fromName ?? "");
  if (!fromName.ok) return fromName;
  return accept({
    from: from.value,
    replyTo: replyTo.value,
    fromName: fromName.value === "" ? null : fromName.value,
  });
}

function parseOptionalAddress(field: string, value: unknown): Result<string | null> {
  if (value === undefined || value === null || value === "") return accept(null);
  if (typeof value !== "string") return invalid(`\`${field}\` must be an address like ada@example.com.`);
  const address = parseEmailAddress(value);
  return address.ok ? address : invalid(`\`${field}\`: ${address.refusal.message}`);
}

type Extras = Pick<SendRequest, "headers" | "tags" | "variables" | "attachments">;

function parseExtras(body: SendBody): Result<Extras> {
  const headers = parseExtraHeaders(body.headers ?? {});
  if (!headers.ok) return headers;
  const labels = body.tags ?? [];
  const tags = areTexts(labels) ? parseTags(labels) : null;
  if (!tags?.ok) return invalid("`tags` must be an array of at most 50 strings of at most 100 characters.");
  const variables = parseVariables(body);
  if (!variables.ok) return variables;
  const attachments = parseAttachments(body.attachments ?? []);
  if (!attachments.ok) return attachments;
  return accept({
    headers: headers.value,
    tags: tags.value,
    variables: variables.value,
    attachments: attachments.value,
  });
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");
