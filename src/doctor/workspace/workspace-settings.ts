import type { Settings } from "#workspaces/settings/settings.ts";
import { about, fail, ok, warn, type Finding } from "#doctor/finding.ts";

/** What a workspace needs before it can send a campaign. */
export function checkSettings(workspaceId: string, settings: Settings): Finding[] {
  const check = about("settings", `settings of ${workspaceId}`);
  const missing = (["mailingAddress", "fromEmail"] as const).filter((key) => settings[key] === "");
  const findings: Finding[] = [];
  if (missing.length > 0)
    findings.push(
      fail(
        check,
        `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set: campaigns are refused`,
        `postrider settings set --workspace ${workspaceId} ${missing.map((key) => `${key}=…`).join(" ")}`,
      ),
    );
  if (settings.suspended || !settings.sending)
    findings.push(
      warn(
        about("sending", check.name),
        settings.suspended ? "sending is suspended" : "sending is switched off",
        `when it may go on: postrider settings set --workspace ${workspaceId} ${settings.suspended ? "suspended=off" : "sending=on"}`,
      ),
    );
  return findings.length > 0 ? findings : [ok(check, "complete")];
}
