import { resolve } from "node:path";
import type { Config } from "#config.ts";
import type { FirstWorkspace } from "./server.ts";

/**
 * What the first start prints after the banner: the key, which nobody sees again, and lines that can be pasted into a shell as they
 * are and take a newcomer from nothing to a sent campaign and its stats.
 */
export function firstStartText(config: Config, { id, key }: FirstWorkspace): string {
  const api = `http://${localHost(config.host)}:${config.port}/api/v1`;
  const call = (data: string, path: string) => `curl -s -H "$AUTH" -d '${data}' ${api}${path}`;
  const idOf = `sed 's/.*"id":"\\([^"]*\\)".*/\\1/'`;
  const keepId = (name: string, data: string, path: string) => `${name}=$(${call(data, path)} | ${idOf})`;
  return `
First start: the workspace Default is ready.
  Workspace  ${id}
  API key    ${key}   (shown this once: keep it)

${config.relays === null ? "To try it, paste" : "To try it, put an address of your own in place of ada@example.com and paste"} this into a shell:

${postrider()} settings set --data-dir ${shellWord(resolve(config.dataDir))} 'mailingAddress=1 Example Street, Springfield' fromEmail=news@example.com
AUTH='Authorization: Bearer ${key}'
${keepId("CONTACT", '{"email":"ada@example.com","firstName":"Ada"}', "/contacts")}
${keepId("LIST", '{"name":"Newsletter"}', "/lists")}
curl -sw '\\n' -H "$AUTH" -d "{\\"contactId\\":\\"$CONTACT\\"}" ${api}/lists/$LIST/contacts
CAMPAIGN=$(curl -s -H "$AUTH" -d "{\\"name\\":\\"Hello\\",\\"subject\\":\\"Hello\\",\\"body\\":\\"<p>Hello from Postrider.</p>\\",\\"listId\\":\\"$LIST\\"}" ${api}/campaigns | ${idOf})
curl -sw '\\n' -H "$AUTH" -X POST ${api}/campaigns/$CAMPAIGN/send
curl -sw '\\n' -H "$AUTH" ${api}/campaigns/$CAMPAIGN

`;
}

/** How this program was started, so that a pasted line starts the same one. */
function postrider(): string {
  const compiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  return compiled ? shellWord(process.execPath) : `${shellWord(process.execPath)} ${shellWord(Bun.main)}`;
}

/** An address that reaches this machine where the server listens on all of them. */
function localHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
