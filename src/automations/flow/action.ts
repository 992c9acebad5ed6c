import { parseNameText } from "#core/text/name-text.ts";
import { mjmlInHtml } from "#mail/letter/letter-fault.ts";
import { parseLiquid } from "#mail/liquid/liquid.ts";
import { attributeIn, readAttributeAction } from "./attribute-action.ts";
import type { Action, ActionName, MailBody } from "./flow-step.ts";
import {
  choiceOf,
  read,
  readAll,
  readerOf,
  readText,
  unreadable,
  type Data,
  type Readers,
  type Reading,
} from "#core/request/reading.ts";
import { readTag } from "./tag-text.ts";
import { parseWebhookUrl } from "#webhooks/calls/target.ts";

const PATH = "data";

const READERS: Readers<ActionName, Action> = {
  send_email: readMail,
  add_tag: (data) => readTagAction("add_tag", data),
  remove_tag: (data) => readTagAction("remove_tag", data),
  add_to_list: (data) => readListAction("add_to_list", data),
  remove_from_list: (data) => readListAction("remove_from_list", data),
  set_field: readField,
  unsubscribe: () => read({ action: "unsubscribe" }),
  webhook: readWebhook,
};

/**
 * Reads the data of an action node (docs/decisions.md "Automations", table). Templates are parsed here, so a
 * bad one is found before anything is sent.
 */
export function readAction(data: Data): Reading<Action> {
  const reader = readerOf(READERS, data.action);
  return reader === null
    ? unreadable(`${PATH}.action`, `\`action\` must be ${choiceOf(READERS)}.`)
    : reader(data);
}

function readTagAction(action: "add_tag" | "remove_tag", data: Data): Reading<Action> {
  const tag = readTag(data, "tag", PATH);
  return tag.ok ? read({ action, tag: tag.value }) : tag;
}

function readListAction(action: "add_to_list" | "remove_from_list", data: Data): Reading<Action> {
  const listId = readText(data, "listId", PATH);
  return listId.ok ? read({ action, listId: listId.value }) : listId;
}

function readMail(data: Data): Reading<Action> {
  const subject = readTemplate(data, "subject");
  const body = readBody(data);
  const both = readAll<unknown>([subject, body]);
  if (!subject.ok || !body.ok) return both as Reading<never>;
  return read({ action: "send_email", subject: subject.value, body: body.value });
}

function readBody(data: Data): Reading<MailBody> {
  const body = mailBodyOf(data);
  if (body === null) return unreadable(PATH, "The mail has no text: give `html` or `mjml`.");
  const misread = body.kind === "html" ? mjmlInHtml(body.source) : null;
  if (misread !== null) return unreadable(`${PATH}.html`, misread);
  const source = readTemplate(data, body.kind);
  return source.ok ? read(body) : source;
}

/**
 * The content of a mail; its Liquid is not read. `html` wins if both are given, because it needs no compiler. Null:
 * the mail has no content.
 */
export function mailBodyOf(data: Data): MailBody | null {
  for (const kind of ["html", "mjml"] as const) {
    const source = data[kind];
    if (typeof source === "string" && source.trim() !== "") return { kind, source };
  }
  return null;
}

function readTemplate(data: Data, member: "subject" | "html" | "mjml"): Reading<string> {
  const text = readText(data, member, PATH);
  if (!text.ok) return text;
  const source = data[member] as string;
  const checked = parseLiquid(source, member === "subject" ? "line" : "html");
  return checked.ok ? read(source) : unreadable(`${PATH}.${member}`, checked.refusal.message);
}

/** An empty or missing value clears the field. */
function readField(data: Data): Reading<Action> {
  const { field } = data;
  const attribute = attributeIn(field);
  if (attribute !== null) return readAttributeAction(attribute, data.value);
  if (field !== "firstName" && field !== "lastName")
    return unreadable(`${PATH}.field`, "`field` must be firstName, lastName or attributes.<name>.");
  const value = parseNameText("value", data.value ?? "");
  return value.ok
    ? read({ action: "set_field", field, value: value.value })
    : unreadable(`${PATH}.value`, value.refusal.message);
}

function readWebhook(data: Data): Reading<Action> {
  const text = readText(data, "url", PATH);
  if (!text.ok) return text;
  const url = parseWebhookUrl(text.value);
  return url.ok
    ? read({ action: "webhook", url: url.value.href })
    : unreadable(`${PATH}.url`, url.refusal.message);
}
