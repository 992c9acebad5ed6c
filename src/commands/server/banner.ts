import { resolve } from "node:path";
import type { Config } from "#config.ts";
import { welcomeAddress } from "#users/welcome-link.ts";
import { VERSION } from "#version.ts";
import type { Server } from "./server.ts";
import { pairs } from "#commands/line/printing.ts";

/** What is printed for a person when the server has started. */
export function bannerText(
  config: Config,
  { mail, inbound, takeover, dataTrouble, ownerLink }: Server,
): string {
  const listening = `${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
  const relays = config.relays?.map(({ host, port }) => `${host}:${port}`).join(", then ");
  const lines = [
    `Postrider ${VERSION}`,
    pairs(
      [
        ["Address", `${config.baseUrl} (listening on ${listening})`],
        ["Data", placeOf(config)],
        [
          "Mail",
          mail === "captured"
            ? `captured, not delivered: read it at ${config.baseUrl}/mailbox`
            : `delivered through ${relays}`,
        ],
        ...(ownerLink === null
          ? []
          : [
              [
                "Owner",
                `nobody owns it yet: open ${welcomeAddress(config.baseUrl, ownerLink)} to create your account`,
              ] as const,
            ]),
        ...(inbound === null ? [] : [["Mail in", `reports and opt-outs, at ${inbound}`] as const]),
      ],
      "  ",
    ),
  ];
  for (const { message, advice } of dataTrouble) lines.push("", `WARNING: ${message}. Do: ${advice}`);
  if (takeover.held > 0) lines.push("", holdText(takeover.holdReason ?? "", takeover.held));
  return `${lines.join("\n")}\n`;
}

/** Without user and password. */
function placeOf({ database, dataDir }: Config): string {
  if (database === null) return resolve(dataDir);
  const { host, pathname } = new URL(database.url);
  return `PostgreSQL at ${host}${pathname}`;
}

function holdText(reason: string, held: number): string {
  return [
    `HELD: ${reason}. It may be a restored backup or a copy, and its mail may have gone out already.`,
    `What was under way or scheduled waits, live automations are paused, and mailboxes are left to the original`,
    `(${held} in all), until you say:`,
    "  postrider campaign release ID",
    "  postrider automation release ID, for mail it had queued; set it LIVE for the rest",
    "  postrider form release ID, for confirmations",
    '  PATCH /webhooks/ID with {"enabled":true}, or the console: no command does it',
    "  postrider settings set bounceMailbox=…, where the original does not read that mailbox any more",
  ].join("\n");
}
