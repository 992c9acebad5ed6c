import { accept, invalid, refuse, type Refusal, type Result } from "#core/errors/errors.ts";
import type { Json } from "./setting-values.ts";
import {
  isSettingKey,
  noSetting,
  SETTING_KEYS,
  settingOf,
  type SettingKey,
  type Settings,
  unacceptable,
} from "./settings.ts";
import { withoutPasswords } from "#workspaces/url-passwords.ts";

/** Settings as the API shows them: each in its own type, none of them a secret. */
export function settingsJson(settings: Settings): Readonly<Record<SettingKey, Json>> {
  const shown = SETTING_KEYS.map((key) => [key, shownSetting(settings, key)] as const);
  return Object.fromEntries(shown) as Record<SettingKey, Json>;
}

function shownSetting(settings: Settings, key: SettingKey): Json {
  const { kind, secret } = settingOf(key);
  if (secret === "whole") return settings[key] !== "";
  const value = kind.json.write(settings[key]);
  return secret === "passwords" && typeof value === "string" ? withoutPasswords(value) : value;
}

/**
 * Reads a change of settings from the API: all of them, or none. A setting that the operator sets is refused
 * before anything else is looked at. A name that is no setting is refused too: nobody should believe that it
 * had an effect. `null` means "not sent" unless it is a value of the setting.
 */
export function parseSettingsChange(body: Readonly<Record<string, unknown>>): Result<Partial<Settings>> {
  const sent = Object.keys(body).filter((key) => isSent(key, body[key]));
  const refusal = refusalOf(sent);
  if (refusal !== null) return { ok: false, refusal };
  const change: Partial<Settings> = {};
  for (const key of sent.filter(isSettingKey)) {
    const { json } = settingOf(key).kind;
    const value = json.read(body[key]);
    if (value === undefined) return invalid(unacceptable(`\`${key}\``, json.accepts, json.why?.(body[key])));
    Object.assign(change, { [key]: value });
  }
  return accept(change);
}

const isSent = (key: string, value: unknown): boolean =>
  value !== null || !isSettingKey(key) || settingOf(key).kind.json.isNullable;

function refusalOf(sent: readonly string[]): Refusal | null {
  const ofOperator = sent.find((key) => isSettingKey(key) && settingOf(key).setBy === "operator");
  if (ofOperator !== undefined)
    return refuse(
      "FORBIDDEN",
      `\`${ofOperator}\` belongs to whoever runs the service: it is set with \`postrider settings set\`.`,
    ).refusal;
  const unknown = sent.find((key) => !isSettingKey(key));
  return unknown === undefined ? null : noSetting(unknown).refusal;
}
