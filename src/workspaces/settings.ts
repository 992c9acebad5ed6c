import { closestOf } from "#core/closest.ts";
import { accept, AppError, invalid, type Result } from "#core/errors.ts";
import { quoted } from "#core/text.ts";
import type { QuietHours } from "./quiet-hours.ts";
import * as mailKinds from "./mail-setting-values.ts";
import * as kinds from "./setting-values.ts";

/** The settings of a workspace. Texts are `""` if nothing was set; `null` means "off". */
export type Settings = {
  readonly name: string;
  /** The physical address in the footer of every campaign; may have several lines. Campaigns need one. */
  readonly mailingAddress: string;
  readonly fromName: string;
  readonly fromEmail: string;
  readonly replyTo: string;
  /** An IANA name. Quiet hours use this zone, and so do the days and months of the cap and the limit. */
  readonly timezone: string;
  readonly quietHours: QuietHours | null;
  /** The maximum of campaign messages in a calendar day. */
  readonly dailyCap: number | null;
  /** The maximum of messages of every kind in a calendar month. */
  readonly monthlyLimit: number | null;
  readonly doubleOptIn: boolean;
  /** The origins of web sites whose pages may submit forms. An empty list allows any. */
  readonly allowedOrigins: readonly string[];
  /** The guardrails' switch: if it is off, nothing is sent. */
  readonly sending: boolean;
  readonly suspended: boolean;
  readonly trackOpens: boolean;
  readonly trackClicks: boolean;
  readonly allowPrivateWebhooks: boolean;
  readonly webhookSecret: string;
  readonly dkimDomain: string;
  readonly dkimSelector: string;
  readonly dkimPrivateKeyFile: string;
  /** Replaces the service's relays for this workspace; several are separated by spaces. */
  readonly smtpUrl: string;
};

export type SettingKey = keyof Settings;

/** How a setting is written on the command line and in storage. */
export type SettingPair = { readonly key: string; readonly value: string };

export const DEFAULT_SETTINGS: Settings = {
  name: "",
  mailingAddress: "",
  fromName: "",
  fromEmail: "",
  replyTo: "",
  timezone: "UTC",
  quietHours: null,
  dailyCap: null,
  monthlyLimit: null,
  doubleOptIn: false,
  allowedOrigins: [],
  sending: true,
  suspended: false,
  trackOpens: true,
  trackClicks: true,
  allowPrivateWebhooks: false,
  webhookSecret: "",
  dkimDomain: "",
  dkimSelector: "",
  dkimPrivateKeyFile: "",
  smtpUrl: "",
};

const KINDS: { readonly [Key in SettingKey]: kinds.ValueKind<Settings[Key]> } = {
  name: kinds.filledLine(200),
  mailingAddress: kinds.lines(500),
  fromName: kinds.line(200),
  fromEmail: mailKinds.emailAddress,
  replyTo: mailKinds.emailAddress,
  timezone: kinds.timeZone,
  quietHours: kinds.quietHoursOrOff,
  dailyCap: kinds.countOrOff,
  monthlyLimit: kinds.countOrOff,
  doubleOptIn: kinds.onOff,
  allowedOrigins: kinds.origins,
  sending: kinds.onOff,
  suspended: kinds.onOff,
  trackOpens: kinds.onOff,
  trackClicks: kinds.onOff,
  allowPrivateWebhooks: kinds.onOff,
  webhookSecret: mailKinds.webhookSecret,
  dkimDomain: mailKinds.hostName,
  dkimSelector: mailKinds.dkimSelector,
  dkimPrivateKeyFile: kinds.line(1000),
  smtpUrl: mailKinds.smtpUrls,
};

export const SETTING_KEYS: readonly SettingKey[] = Object.keys(KINDS).filter(isSettingKey);

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(KINDS, key);
}

/**
 * Reads one setting from its written form. The refusal names the key and says in one line what it accepts. It
 * never repeats the value, which may be a secret.
 */
export function parseSetting(key: string, value: string): Result<Partial<Settings>> {
  if (!isSettingKey(key)) return noSetting(key);
  const kind: kinds.ValueKind<unknown> = KINDS[key];
  const parsed = kind.read(value.toWellFormed().trim());
  return parsed === undefined ? invalid(`${key} must be ${kind.accepts}.`) : accept({ [key]: parsed });
}

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
  const kind: kinds.ValueKind<unknown> = KINDS[key];
  return kind.write(settings[key]);
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
