import { databasePath, inspect, inspectPostgresAt } from "#app/database.ts";
import { printable } from "#core/text/printable.ts";
import { counted } from "#core/text/text.ts";
import { systemDns } from "#doctor/dns/dns.ts";
import { examine } from "#doctor/examine.ts";
import type { Finding } from "#doctor/finding.ts";
import type { Call, Command } from "#commands/line/command.ts";
import { configOf, optionFlags } from "#commands/line/option-flags.ts";
import { presentDatabase } from "./open.ts";
import { writeJsonArray } from "#commands/line/printing.ts";

const LOOKED_AT = [
  "DATA_DIR",
  "DATABASE_URL",
  "DATABASE_PREPARE",
  "DATABASE_FAILOVER",
  "SMTP_URL",
  "BASE_URL",
  "HOST",
  "PORT",
  "TRUSTED_PROXIES",
  "INBOUND_SMTP",
] as const;

export const doctor: Command = {
  name: "doctor",
  says: "Checks the data, the disk, the clock, the settings, the relays and the sender's DNS records.",
  operands: [],
  flags: optionFlags(LOOKED_AT, ({ variable, says }) => `${says} Or ${variable}.`),
  takesJson: true,
  notes: [
    "Run it with the environment of the server. It changes nothing and sends nothing; it only connects and logs in to relays and mailboxes.",
    "Exit code 1 if something fails; warnings alone are 0.",
  ],
  example: "doctor --data-dir /var/lib/postrider",
  async run(call) {
    const config = configOf(call);
    const findings = examine(
      { ...config, databasePath: config.database === null ? databasePath(config.dataDir) : null },
      () =>
        config.database === null
          ? inspect(presentDatabase(call), call.clock.now())
          : inspectPostgresAt(config.database, config.dataDir),
      { dns: systemDns, clock: call.clock },
    );
    const failed = await print(call, findings);
    if (failed > 0) throw new Error(counted(failed, "check fails", "checks fail"));
  },
};

/** Prints each line as soon as it is known, because a relay that does not answer takes long. */
async function print(call: Call, findings: AsyncIterable<Finding>): Promise<number> {
  let failed = 0;
  const counting = async function* (): AsyncGenerator<Finding> {
    for await (const finding of findings) {
      if (finding.result === "fail") failed++;
      yield finding;
    }
  };
  if (call.json) await writeJsonArray(call.output, counting(), (finding) => finding);
  else for await (const finding of counting()) await call.output.write(lineOf(finding));
  return failed;
}

function lineOf({ result, check, message, advice }: Finding): string {
  const line = `${result.padEnd(4)}  ${check}: ${message}`;
  return `${printable((advice === null ? line : `${line.replace(/\.$/, "")}. ${advice}`).replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, " "))}\n`;
}
