/** Requests that touch very many rows, and imports of files beside a busy server. */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runPostrider } from "../bench/processes/processes.ts";
import { filled, idOf, type Attack, type Send } from "./attacks.ts";

const PEOPLE = 50_000;
const EVENTS = 20_000;

/** Imports a file by the command line, beside the server. */
async function imports(dataDir: string, csv: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-prove-"));
  try {
    const file = join(folder, "people.csv");
    writeFileSync(file, csv);
    const said = await runPostrider([
      "import",
      "contacts",
      file,
      "--status",
      "SUBSCRIBED",
      "--data-dir",
      dataDir,
    ]).catch(String);
    return said.trim().split("\n").at(-1)!.slice(0, 70);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const people = (domain: string): string =>
  `email\n${Array.from({ length: PEOPLE }, (_, i) => `person${i}@${domain}`).join("\n")}\n`;

/** Their ids, read directly: requests to the server would take five hundred pages. */
function idsOf(dataDir: string, domain: string): string[] {
  const sqlite = new Database(join(dataDir, "postrider.db"), { readonly: true });
  const ids = sqlite.query<{ id: string }, [string]>("SELECT id FROM contacts WHERE email LIKE ?");
  const found = ids.all(`%@${domain}`).map(({ id }) => id);
  sqlite.close();
  return found;
}

async function listOfMany(
  send: Send,
  dataDir: string,
  domain: string,
): Promise<{ id: string; status: number }> {
  await imports(dataDir, people(domain));
  const id = idOf(await send("POST", "/api/v1/lists", '{"name":"Many"}'));
  const contactIds = idsOf(dataDir, domain);
  const { status } = await send("POST", `/api/v1/lists/${id}/contacts`, JSON.stringify({ contactIds }));
  return { id, status };
}

const importing = (name: string, csv: () => string): Attack => ({
  name: `import: ${name}`,
  run: (_send, dataDir) => imports(dataDir, csv()),
});

export const ON_ROWS: readonly Attack[] = [
  {
    name: "/lists/{id}/contacts: 50,000 contacts that are there",
    run: async (send, dataDir) => String((await listOfMany(send, dataDir, "add.example.com")).status),
  },
  {
    name: "DELETE /lists/{id} with 50,000 members",
    async run(send, dataDir) {
      const { id } = await listOfMany(send, dataDir, "delete.example.com");
      return String((await send("DELETE", `/api/v1/lists/${id}`)).status);
    },
  },
  {
    name: "DELETE /contacts/{id} with 20,000 events",
    async run(send) {
      const email = `busy-${crypto.randomUUID()}@example.com`;
      const id = idOf(await send("POST", "/api/v1/contacts", JSON.stringify({ email })));
      const event = JSON.stringify({ email, name: "opened_app" });
      for (let sent = 0; sent < EVENTS; sent += 100)
        await Promise.all(Array.from({ length: 100 }, () => send("POST", "/api/v1/events", event)));
      return String((await send("DELETE", `/api/v1/contacts/${id}`)).status);
    },
  },
  importing("a cell of 4 MB", () => `email,first name\nada@example.com,"${filled("a", 4 * 1024 * 1024)}"\n`),
  importing("a row of 400,000 cells", () => `email\nada@example.com${filled(",a", 800_000)}\n`),
  importing("a header of 400,000 cells", () => `email${filled(",a", 800_000)}\nada@example.com\n`),
  importing("a quotation that never ends", () => `email\n"${filled("ada@example.com\n", 4 * 1024 * 1024)}`),
  importing(
    "50,000 rows with names at their longest",
    () =>
      `email,first name\n${Array.from({ length: PEOPLE }, (_, i) => `long${i}@example.com,${filled("é", 200)}`).join("\n")}\n`,
  ),
];
