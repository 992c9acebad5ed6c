import { capitalLetter } from "#core/text/capital-letter.ts";
import { Type, type TSchema } from "@sinclair/typebox";
import { documentedAs, longInteger } from "#http/envelope.ts";
import type { JsonForm } from "#workspaces/settings/setting-values.ts";
import { SETTING_KEYS, settingOf, type SettingKey } from "#workspaces/settings/settings.ts";
import { withoutPasswords } from "./url-passwords.ts";

/** The wire shapes of a workspace's settings, made from the table of settings. */

type Notes = { readonly description?: string; readonly examples?: unknown[] };

function plainType({ type, charactersMax, members = [] }: JsonForm<unknown>, notes: Notes): TSchema {
  if (type === "boolean") return Type.Boolean(notes);
  if (type === "integer") return longInteger({ ...notes, minimum: 0 });
  if (type === "object") return objectType(members, notes);
  if (type === "array") return Type.Array(Type.String(), notes);
  return Type.String(charactersMax === undefined ? notes : { ...notes, maxLength: charactersMax });
}

function objectType(members: readonly string[], notes: Notes): TSchema {
  const number = Type.Optional(longInteger({ minimum: 1 }));
  const one = Type.Object(Object.fromEntries(members.map((member) => [member, number])));
  return Type.Record(Type.String(), one, notes);
}

const typeOf = (json: JsonForm<unknown>, notes: Notes): TSchema =>
  json.isNullable ? Type.Union([plainType(json, {}), Type.Null()], notes) : plainType(json, notes);

const membersOf = (keys: readonly SettingKey[], memberOf: (key: SettingKey) => TSchema) =>
  Object.fromEntries(keys.map((key) => [key, memberOf(key)]));

function shownSchema(key: SettingKey): TSchema {
  const { kind, example, says, setBy, secret } = settingOf(key);
  const description =
    setBy === "workspace" ? says : `${says} Set on the command line only, by whoever runs the service.`;
  if (secret === "whole")
    return Type.Boolean({ description: `Whether there is one. ${description}`, examples: [true] });
  const value = kind.json.write(example);
  return secret === "passwords"
    ? Type.String({
        description: `${description} A password shows as \`***\`.`,
        examples: [withoutPasswords(typeof value === "string" ? value : "")],
      })
    : typeOf(kind.json, { description, examples: [value] });
}

export const settingsSchema = Type.Object(membersOf(SETTING_KEYS, shownSchema), {
  additionalProperties: false,
  $id: "Settings",
  description: "The workspace's settings, each in its own type.",
});

function changeSchema(key: SettingKey): TSchema {
  const { kind, example, says, secret } = settingOf(key);
  const kept = secret === "passwords" ? " A password that is `***` stays the stored one." : "";
  const notes = {
    description: `${says} ${capitalLetter(kind.json.accepts)}.${kept}`,
    examples: [kind.json.write(example)],
  };
  return Type.Optional(documentedAs(typeOf(kind.json, notes)));
}

const CHANGE_KEYS = SETTING_KEYS.filter((key) => settingOf(key).setBy === "workspace");

export const settingsChangeBody = Type.Object(membersOf(CHANGE_KEYS, changeSchema), {
  $id: "SettingsUpdate",
  description: "What to change: all of it, or nothing where one value is bad.",
  examples: [{ fromName: "Ada", timezone: "Europe/Berlin", dailyCap: 5000, trackOpens: true }],
});
