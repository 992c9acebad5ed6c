import { resolve } from "node:path";
import type { Config } from "#config.ts";
import type { FirstWorkspace } from "./server.ts";

/**
 * What the first start prints after the banner: the key, which is never shown again, and lines to paste into
 * a shell. They lead a newcomer from nothing to a sent campaign and its statistics.
 */
export function firstStartText(config: Config, { id, key }: FirstWorkspace): string {
  const captured = config.relays === null;
  const paste = captured
    ? "To try it, paste"
    : "To try it, put an address of your own in place of ada@example.com and paste";
  const idOf = `sed 's/.*"id":"\\([^"]*\\)".*/\\1/'`;
  return `
First start: the workspace Default is ready.
  Workspace  ${id}
  API key    ${key}   (shown only once: keep it)

${paste} this into a shell${config.database === null ? "" : " that has the server's DATABASE_URL"}:

${postrider()} settings set${dataDirFlag(config)} 'mailingAddress=1 Example Street, Springfield' fromEmail=news@example.com
API=http://${localHost(config.host)}:${config.port}/api/v1
AUTH='Authorization: Bearer ${key}'
CONTACT=$(curl -s -H "$AUTH" $API/contacts -d '{"email":"ada@example.com","firstName":"Ada"}' | ${idOf})
LIST=$(curl -s -H "$AUTH" $API/lists -d '{"name":"Newsletter"}' | ${idOf})
curl -sw '\\n' -H "$AUTH" $API/lists/$LIST/contacts -d '{"contactId":"'$CONTACT'"}'
CAMPAIGN=$(curl -s -H "$AUTH" $API/campaigns -d '{"name":"Hello","subject":"Hello","body":"<p>Hello, Ada.</p>","listId":"'$LIST'"}' | ${idOf})
curl -sw '\\n' -H "$AUTH" -X POST $API/campaigns/$CAMPAIGN/send
curl -sw '\\n' -H "$AUTH" $API/campaigns/$CAMPAIGN
${captured ? `echo ${shellWord(`Read it at ${config.baseUrl}/mailbox`)}\n` : ""}
`;
}

/** How a command finds the data. The address of a PostgreSQL holds a password, so it is not printed. */
const dataDirFlag = ({ database, dataDir }: Config): string =>
  database === null ? ` --data-dir ${shellWord(resolve(dataDir))}` : "";

/** The command that started this program, so that a pasted line starts the same one. */
function postrider(): string {
  const compiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  return compiled ? shellWord(process.execPath) : `${shellWord(process.execPath)} ${shellWord(Bun.main)}`;
}

/** An address that reaches this machine when the server listens on all addresses. */
function localHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
