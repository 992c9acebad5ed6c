import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { ifSent } from "#core/request/sent.ts";
import { parseBody, parseName, parseSubject } from "#mail/letter/letter-text.ts";
import type { NewTemplateBody, TemplateChangeBody } from "./schema.ts";
import { TEMPLATE_FORMATS, type TemplateContent, type TemplateFormat } from "./template.ts";

/** Undefined: not sent. */
export type TemplateChange = {
  readonly [Field in keyof TemplateContent]: TemplateContent[Field] | undefined;
};

/** Names and values for a template. */
export type Variables = Readonly<Record<string, unknown>>;

const VARIABLES_CHARACTERS_MAX = 1024 * 1024;

/** Reads the body of POST /templates. Does not check Liquid and MJML, so that a draft can be saved. */
export function parseNewTemplate(sent: NewTemplateBody): Result<TemplateContent> {
  const change = parseTemplateChange(sent);
  if (!change.ok) return change;
  const { name, subject, format, body } = change.value;
  if (name === undefined) return invalid("`name` is required.");
  if (subject === undefined) return invalid("`subject` is required.");
  if (body === undefined) return invalid("`body` is required.");
  return accept({ name, subject, format: format ?? "html", body });
}

/** Reads the body of PATCH /templates/{id}. An empty value is refused. */
export function parseTemplateChange(sent: TemplateChangeBody): Result<TemplateChange> {
  const name = ifSent(sent.name, parseName);
  if (!name.ok) return name;
  const subject = ifSent(sent.subject, parseSubject);
  if (!subject.ok) return subject;
  const format = ifSent(sent.format, parseFormat);
  if (!format.ok) return format;
  const body = ifSent(sent.body, parseBody);
  if (!body.ok) return body;
  return accept({ name: name.value, subject: subject.value, format: format.value, body: body.value });
}

function parseFormat(value: string): Result<TemplateFormat> {
  const format = TEMPLATE_FORMATS.find((one) => one === value);
  return format === undefined ? invalid("`format` must be `html` or `mjml`.") : accept(format);
}

/** Reads `variables` of a body; null: not sent. */
export function parseVariables({ variables }: { readonly variables?: unknown }): Result<Variables | null> {
  if (variables === undefined || variables === null) return accept(null);
  if (typeof variables !== "object" || Array.isArray(variables))
    return invalid("`variables` must be an object of names and values.");
  if (JSON.stringify(variables).length > VARIABLES_CHARACTERS_MAX)
    return invalid(`\`variables\` has more than ${VARIABLES_CHARACTERS_MAX} characters of JSON. Send fewer.`);
  return accept(variables as Variables);
}
