import { closestOf } from "#core/closest.ts";
import { accept, AppError, invalid, type Result } from "#core/errors.ts";
import { quoted } from "#core/text.ts";
import type { QuietHours } from "./quiet-hours.ts";
import * as mailKinds from "./mail-setting-values.ts";
import * as kinds from "./setting-values.ts";

/** What a workspace can be told. Texts are `""` where nothing was set; `null` is "off". */
export type Settings = {
  readonly name: string;
  /** The physical address every campaign's footer prints; may have several lines. Campaigns need one. */
  readonly mailingAddress: string;
  readonly fromName: string;
  readonly fromEmail: string;
  readonly replyTo: string;
  /** IANA name. Quiet hours and the days and months of cap and limit are this zone's. */
  readonly timezone: string;
  readonly quietHours: QuietHours | null;
  /** Campaign messages a calendar day. */
  readonly dailyCap: number | null;
  /** Messages of every kind a calendar month. */
  readonly monthlyLimit: number | null;
  readonly doubleOptIn: boolean;
  /** The web sites whose pages may submit forms, as origins; none is any. */
  readonly allowedOrigins: readonly string[];
  /** The guardrails switch: off, nothing is sent. */
  readonly sending: boolean;
  readonly suspended: boolean;
  readonly trackOpens: boolean;
  readonly trackClicks: boolean;
  readonly allowPrivateWebhooks: boolean;
  readonly webhookSecret: string;
  readonly dkimDomain: string;
  readonly dkimSelector: string;
  readonly dkimPrivateKeyFile: string;
  /** Overrides the service's relays; several separated by spaces. */
  readonly smtpUrl: string;
};

export type SettingKey = keyof Settings;

/** How a setting is written on the command line and kept in storage. */
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
 * One setting from its written form. The refusal names the key and says in one line what it accepts; it never repeats the value,
 * which may be a secret.
 */
export function parseSetting(key: string, value: string): Result<Partial<Settings>> {
  if (!isSettingKey(key)) return noSetting(key);
  const kind: kinds.ValueKind<unknown> = KINDS[key];
  const parsed = kind.read(value.toWellFormed().trim());
  return parsed === undefined ? invalid(`${key} must be ${kind.accepts}.`) : accept({ [key]: parsed });
}

/** Refuses a key that does not exist, with the one that was meant and all there are. */
export function noSetting(key: string): ReturnType<typeof invalid> {
  const meant = closestOf(key, SETTING_KEYS);
  const start = `There is no setting ${quoted(key)}${meant === null ? "." : `: did you mean ${meant}?`}`;
  return invalid(`${start} The settings are: ${SETTING_KEYS.join(", ")}.`);
}

/** Several settings, all of them or, at the first bad one, none. The same key twice is refused: which of the two was meant? */
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

/** The written form of one setting, which `parseSetting` reads back. (A workspace without a name has none: `name` is then empty.) */
export function formatSetting(settings: Settings, key: SettingKey): string {
  const kind: kinds.ValueKind<unknown> = KINDS[key];
  return kind.write(settings[key]);
}

/**
 * A workspace's settings from its stored rows over the defaults. A key of a newer version is passed over; a value that cannot be read
 * throws (`INTERNAL_ERROR`): falling back to a default could lift a suspension or the quiet hours.
 */
export function settingsFromRows(rows: readonly SettingPair[]): Settings {
  const parsed = parseSettings(rows.filter(({ key }) => isSettingKey(key)));
  if (!parsed.ok)
    throw new AppError("INTERNAL_ERROR", `A stored setting cannot be read: ${parsed.refusal.message}`);
  return { ...DEFAULT_SETTINGS, ...parsed.value };
}
