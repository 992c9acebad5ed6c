import { quoted } from "#core/text/text.ts";
import { nameTarget } from "#core/request/acting.ts";
import { unwrap } from "#core/errors/errors.ts";
import { checkSettingsChange } from "#workspaces/settings/settings-change.ts";
import { withoutPasswords } from "#workspaces/url-passwords.ts";
import {
  formatSetting,
  noSetting,
  parseSettings,
  SETTING_KEYS,
  settingOf,
  type SettingKey,
  type SettingPair,
  type Settings,
} from "#workspaces/settings/settings.ts";
import { PLACE, UsageError, type Command } from "#commands/line/command.ts";
import { inWorkspace, recordedIfChanged } from "./open.ts";
import { pairs, printResult } from "#commands/line/printing.ts";

export const settingsGet: Command = {
  name: "settings get",
  says: "Prints the settings of a workspace, or one of them.",
  operands: ["[KEY]"],
  choices: SETTING_KEYS,
  flags: PLACE,
  takesJson: true,
  notes: [
    "Passwords inside smtpUrl and bounceMailbox are *** in the whole list, and shown with --json or when one is asked for.",
  ],
  example: "settings get timezone",
  async run(call) {
    const [key] = call.operands;
    const known = SETTING_KEYS.find((one) => one === key);
    if (key !== undefined && !known) unwrap(noSetting(key));
    await inWorkspace(call, async ({ workspaces }, id) => {
      const settings = await workspaces.settings(id);
      if (!known)
        return printResult(call, written(settings, SETTING_KEYS), forPeople(settings, SETTING_KEYS));
      return printResult(call, written(settings, [known]), formatSetting(settings, known));
    });
  },
};

export const settingsSet: Command = {
  name: "settings set",
  says: "Changes settings of a workspace: all of them, or none if one is wrong.",
  operands: ["KEY=VALUE…"],
  choices: SETTING_KEYS.map((key) => `${key}=`),
  flags: PLACE,
  takesJson: true,
  notes: [
    "An empty value clears a text. *** for a password inside smtpUrl keeps the stored one. A running server",
    "uses the new values from its next request on. The settings:",
    "",
    pairs(SETTING_KEYS.map((key) => [key, settingOf(key).says.replaceAll("`", "")] as const)),
  ],
  example:
    "settings set timezone=Europe/Berlin quietHours=22:00-07:00 'mailingAddress=1 Example Street, Springfield'",
  async run(call) {
    const change = unwrap(parseSettings(call.operands.map(pairOf)));
    const refusal = checkSettingsChange(change);
    if (refusal) throw new UsageError(refusal.message);
    const keys = SETTING_KEYS.filter((key) => change[key] !== undefined);
    await recordedIfChanged(call, "settings_changed", async ({ workspaces }, id) => {
      // The operands hold the values.
      nameTarget(keys.join(", "));
      await workspaces.changeSettings(id, change);
      const now = await workspaces.settings(id);
      await printResult(call, written(now, keys), forPeople(now, keys));
    });
  },
};

function pairOf(operand: string): SettingPair {
  const at = operand.indexOf("=");
  if (at < 1) throw new UsageError(`${quoted(operand)} is not written KEY=VALUE`);
  return { key: operand.slice(0, at), value: operand.slice(at + 1) };
}

function written(settings: Settings, keys: readonly SettingKey[]): object {
  return Object.fromEntries(keys.map((key) => [key, formatSetting(settings, key)]));
}

function forPeople(settings: Settings, keys: readonly SettingKey[]): string {
  return pairs(
    keys.map((key) => {
      const value = formatSetting(settings, key).replaceAll("\n", "\\n");
      return [key, settingOf(key).secret === "passwords" ? withoutPasswords(value) : value] as const;
    }),
  );
}
