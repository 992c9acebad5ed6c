import { accept, invalid, type Refusal, type Result } from "#core/errors/errors.ts";
import { formatSetting, SETTING_KEYS, settingOf, type SettingKey, type Settings } from "./settings.ts";
import { withStoredPasswords } from "#workspaces/url-passwords.ts";

/**
 * What a change writes, from the command line or the API: all of it, or a refusal. Passwords that were shown
 * as `***` and came back so are replaced by the stored ones.
 * @param stored is called only where a stored value is needed, so that a change can mend stored settings that
 *   cannot be read
 */
export function planSettingsChange(
  stored: () => Settings,
  wanted: Partial<Settings>,
): Result<Partial<Settings>> {
  const planned: Partial<Settings> = {};
  for (const key of SETTING_KEYS) {
    if (wanted[key] === undefined) continue;
    const value = restored(key, wanted[key], stored);
    if (!value.ok) return invalid(`${key}: ${value.refusal.message}`);
    Object.assign(planned, { [key]: value.value });
  }
  const refusal = checkSettingsChange(planned);
  return refusal === null ? accept(planned) : { ok: false, refusal };
}

/** What is wrong with a change, as far as the values alone show it; null if nothing is. */
export function checkSettingsChange(change: Partial<Settings>): Refusal | null {
  for (const key of SETTING_KEYS) {
    const refusal = change[key] === undefined ? null : settingOf(key).check?.(change[key]);
    if (refusal) return refusal;
  }
  return null;
}

function restored(key: SettingKey, value: unknown, stored: () => Settings): Result<unknown> {
  const isMasked =
    settingOf(key).secret === "passwords" && typeof value === "string" && value.includes(":***@");
  return isMasked ? withStoredPasswords(value, formatSetting(stored(), key)) : accept(value);
}
