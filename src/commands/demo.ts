import { present } from "#core/present.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, type Config } from "#config.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import type { Command } from "#commands/line/command.ts";
import { fillDemo, type Demo } from "./demo-data.ts";
import { firstSignal } from "#commands/server/first-signal.ts";
import { startServer } from "#commands/server/server.ts";
import { welcomeAddress } from "#users/welcome-link.ts";
import { optionFlags } from "#commands/line/option-flags.ts";
import { pairs } from "#commands/line/printing.ts";

const PORT = 8080;
const GRACE_MS = 2_000;

export const demo: Command = {
  name: "demo",
  says: "Serves a small newsletter with made-up people whose first campaign has just gone out, until it is stopped.",
  operands: [],
  flags: optionFlags(["PORT"], () => `Port to listen on (${PORT}, or another if that is in use).`),
  takesJson: false,
  notes: [
    "Its mail is captured and never leaves this machine, whatever the environment says.",
    "Its data is in a temporary directory, which is removed at the end.",
  ],
  example: "demo --port 8025",
  async run(call) {
    const asked = firstSignal(call.clock);
    const directory = mkdtempSync(join(tmpdir(), "postrider-demo-"));
    process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
    const config = demoConfig(directory, call.flags.port);
    const { clock } = call;
    const log = createLog({ level: "error", format: "pretty", clock, write: call.output.progress });
    const world = { clock, random: systemRandom, log };
    const server = await startServer(config, world);
    try {
      const { key } = present(server.firstWorkspace, "workspace in a new database");
      const ownerLink = present(server.ownerLink, "link of a new database");
      const made = await fillDemo({ baseUrl: config.baseUrl, key }, { dataDir: directory, ...world });
      await call.output.write(welcome(config, { key, ownerLink }, made));
      await asked;
    } finally {
      await server.stop(GRACE_MS);
    }
  },
};

/** Ignores the environment: a demonstration must not mail anybody. */
function demoConfig(dataDir: string, port: string | undefined): Config {
  const flags = { port: port ?? String(isFree(PORT) ? PORT : freePort()), "data-dir": dataDir };
  return unwrap(readConfig({ flags, environment: {}, onTerminal: true }));
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  listener.stop(true);
  return listener.port;
}

function welcome(
  { baseUrl }: Config,
  { key, ownerLink }: { readonly key: string; readonly ownerLink: string },
  { people, sent, formId }: Demo,
): string {
  return `${[
    `A newsletter with ${people} people on its list. Its first campaign has just gone out: ${sent} messages, all of them captured here.`,
    "",
    pairs(
      [
        ["Console", `${welcomeAddress(baseUrl, ownerLink)} creates your account`],
        ["Mailbox", `${baseUrl}/mailbox`],
        ["API reference", `${baseUrl}/docs`],
        ["Sign-up form", `${baseUrl}/forms/${formId}`],
        ["API key", key],
        ["Try", `curl -H 'Authorization: Bearer ${key}' ${baseUrl}/api/v1/campaigns`],
      ],
      "  ",
    ),
    "",
    "Subscribe with the form, and an automation sends you a mail: see the mailbox.",
    "Ctrl-C ends it and removes everything.",
  ].join("\n")}\n`;
}
