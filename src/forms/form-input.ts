import { noSuchList, parseListId } from "#lists/list-input.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { checkJsonValue, type JsonObject } from "#core/request/json-value.ts";
import { applyPatch, type Patch } from "#core/request/patch.ts";
import { parseNameText, parseText } from "#core/text/name-text.ts";
import { ifSent } from "#core/request/sent.ts";
import {
  DEFAULT_FIELDS,
  DEFAULT_SUCCESS_MESSAGE,
  FIELD_CHARACTERS_MAX,
  FIELDS_MAX,
  SUCCESS_MESSAGE_CHARACTERS_MAX,
  type Form,
} from "./form.ts";
import type { FormChangeBody, NewFormBody } from "./schema.ts";

const STYLE_BYTES_MAX = 16 * 1024;

/** The part of a form that a person writes. */
export type FormContent = Pick<Form, "name" | "listId" | "fields" | "style" | "successMessage">;

/**
 * What PATCH /forms/{id} asks for. Undefined means "not sent". Clearing `listId` removes the list from the
 * form.
 */
export type FormChange = {
  readonly name: string | undefined;
  readonly listId: Patch<string>;
  readonly fields: readonly string[] | undefined;
  readonly style: JsonObject | undefined;
  readonly successMessage: string | undefined;
};

/**
 * Reads the body of POST /forms. A new form has no style yet (docs/contract.md "Form"). The caller checks
 * that the list exists.
 */
export function parseNewForm(body: NewFormBody): Result<FormContent> {
  const change = parseFormChange({ ...body, name: body.name ?? "" });
  if (!change.ok) return change;
  const { name, listId, fields, successMessage } = change.value;
  return accept({
    name: name ?? "",
    listId: applyPatch(null, listId, null),
    fields: fields ?? DEFAULT_FIELDS,
    style: {},
    successMessage: successMessage ?? DEFAULT_SUCCESS_MESSAGE,
  });
}

/**
 * Reads the body of PATCH /forms/{id}. `null` means "not sent", except that it clears `listId`. An empty
 * `successMessage` restores the default.
 */
export function parseFormChange(body: FormChangeBody): Result<FormChange> {
  const name = ifSent(body.name ?? undefined, parseName);
  if (!name.ok) return name;
  const listId = parseListId(body.listId);
  if (!listId.ok) return listId;
  const fields = ifSent(body.fields ?? undefined, parseFields);
  if (!fields.ok) return fields;
  const style = body.style === undefined ? accept(undefined) : parseStyle(body.style);
  if (!style.ok) return style;
  const successMessage = ifSent(body.successMessage ?? undefined, parseSuccessMessage);
  if (!successMessage.ok) return successMessage;
  return accept({
    name: name.value,
    listId: listId.value,
    fields: fields.value,
    style: style.value,
    successMessage: successMessage.value,
  });
}

/** The form after a change. Refused if its list is not among those that the workspace has. */
export function changeForm(
  current: FormContent,
  change: FormChange,
  knownLists: ReadonlySet<string>,
): Result<FormContent> {
  if (change.listId.kind === "set" && !knownLists.has(change.listId.value))
    return noSuchList(change.listId.value);
  return accept(changedForm(current, change));
}

export const changedForm = (current: FormContent, change: FormChange): FormContent => ({
  name: change.name ?? current.name,
  listId: applyPatch(current.listId, change.listId, null),
  fields: change.fields ?? current.fields,
  style: change.style ?? current.style,
  successMessage: change.successMessage ?? current.successMessage,
});

function parseName(value: unknown): Result<string> {
  const name = parseNameText("name", value);
  return name.ok && name.value === "" ? invalid("`name` is required and must not be empty.") : name;
}

/** Entries that are not strings are dropped (docs/contract.md "Form"). */
function parseFields(value: unknown): Result<string[]> {
  if (!Array.isArray(value)) return invalid('`fields` must be an array of strings such as ["firstName"].');
  const entries = (value as readonly unknown[]).filter((entry) => typeof entry === "string");
  if (entries.length > FIELDS_MAX)
    return invalid(`\`fields\` has ${entries.length} entries; at most ${FIELDS_MAX} are allowed.`);
  const fields: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const field = parseText(`fields[${index}]`, entry, FIELD_CHARACTERS_MAX);
    if (!field.ok) return field;
    fields.push(field.value);
  }
  return accept(fields);
}

function parseStyle(value: JsonObject): Result<JsonObject> {
  const checked = checkJsonValue(value, "style");
  if (!checked.ok) return checked;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > STYLE_BYTES_MAX)
    return invalid(`\`style\` has ${bytes} bytes of JSON; at most ${STYLE_BYTES_MAX} are allowed.`);
  return accept(value);
}

function parseSuccessMessage(value: unknown): Result<string> {
  const message = parseText("successMessage", value, SUCCESS_MESSAGE_CHARACTERS_MAX);
  return message.ok ? accept(message.value || DEFAULT_SUCCESS_MESSAGE) : message;
}
