import { closestOf } from "#core/text/closest.ts";
import { accept, AppError, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import { SETTINGS, type Setting } from "./setting-table.ts";
import { typed } from "./setting-values.ts";

type Table = typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** The settings of a workspace; see `SETTINGS` for what each is. */
export type Settings = { readonly [Key in keyof Table]: ValueOf<Table[Key]> };

export type SettingKey = keyof Settings;

/** How a setting is written on the command line and in storage. */
export type SettingPair = { readonly key: string; readonly value: string };

export const SETTING_KEYS: readonly SettingKey[] = Object.keys(SETTINGS).filter(isSettingKey);

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

/** The entry of a setting, for code that treats all settings alike. */
export const settingOf = (key: SettingKey): Setting<unknown> => SETTINGS[key];

export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_KEYS.map((key) => [key, settingOf(key).initial]),
) as Settings;

/**
 * Reads one setting from its written form. The refusal names the key and says in one line what it accepts. It
 * never repeats the value, which may be a secret.
 */
export function parseSetting(key: string, value: string): Result<Partial<Settings>> {
  if (!isSettingKey(key)) return noSetting(key);
  const { kind } = settingOf(key);
  const text = typed(value);
  const parsed = kind.read(text);
  return parsed === undefined
    ? invalid(unacceptable(key, kind.accepts, kind.why?.(text)))
    : accept({ [key]: parsed });
}

/** The refusal of a value. `why`: where and why, if that is known. */
export const unacceptable = (key: string, accepts: string, why: string | undefined): string =>
  `${key} must be ${accepts}${why === undefined ? "." : `: ${why}`}`;

/** Refuses a key that does not exist; names the one that was probably meant and all existing ones. */
export function noSetting(key: string): ReturnType<typeof invalid> {
  const meant = closestOf(key, SETTING_KEYS);
  const start = `There is no setting ${quoted(key)}${meant === null ? "." : `: did you mean ${meant}?`}`;
  return invalid(`${start} The settings are: ${SETTING_KEYS.join(", ")}.`);
}

/**
 * Reads several settings: all of them, or none if one is bad. The same key twice is refused, because it is
 * unclear which one was meant.
 */
export function parseSettings(pairs: readonly SettingPair[]): Result<Partial<Settings>> {
  const settings: Partial<Settings> = {};
  for (const { key, value } of pairs) {
    const parsed = parseSetting(key, value);
    if (!parsed.ok) return parsed;
    if (Object.hasOwn(settings, key)) return invalid(`${key} is given twice. Give it once.`);
    Object.assign(settings, parsed.value);
  }
  return accept(settings);
}

/**
 * The written form of one setting, which `parseSetting` reads back. (A workspace without a name has none:
 * `name` is then empty.)
 */
export function formatSetting(settings: Settings, key: SettingKey): string {
  return settingOf(key).kind.write(settings[key]);
}

/**
 * A workspace's settings: its stored rows over the defaults. Ignores a key of a newer version. Throws
 * (`INTERNAL_ERROR`) for a value that it cannot read, because the default could lift a suspension or the
 * quiet hours.
 */
export function settingsFromRows(rows: readonly SettingPair[]): Settings {
  const parsed = parseSettings(rows.filter(({ key }) => isSettingKey(key)));
  if (!parsed.ok)
    throw new AppError("INTERNAL_ERROR", `A stored setting cannot be read: ${parsed.refusal.message}`);
  return { ...DEFAULT_SETTINGS, ...parsed.value };
}
