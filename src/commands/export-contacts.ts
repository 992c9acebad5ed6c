import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import type { Services } from "#app/services.ts";
import { CONTACT_STATUSES, type Contact } from "#contacts/contact.ts";
import { parseContactFilter, type ContactFilter } from "#contacts/contact-filter.ts";
import { guardCell } from "#contacts/spreadsheet-cell.ts";
import type { Page, PageRequest } from "#core/page.ts";
import { PLACE, UsageError, type Call, type Command } from "#commands/line/command.ts";
import { inWorkspace } from "./open.ts";
import { timeWire, writeJsonArray } from "#commands/line/tables.ts";

export const exportContacts: Command = {
  name: "export contacts",
  says: "Writes the contacts as CSV, newest first.",
  operands: [],
  flags: [
    {
      name: "status",
      value: "STATUS",
      says: "Only these: PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED.",
      choices: CONTACT_STATUSES,
    },
    { name: "tag", value: "TAG", says: "Only those that carry this tag." },
    { name: "list", value: "ID", says: "Only those on this list." },
    { name: "output", value: "FILE", says: "Write to a new file, readable by you alone (standard output)." },
    ...PLACE,
  ],
  takesJson: true,
  notes: [
    "Columns: email, firstName, lastName, tags (separated by ;), status, createdAt. `import contacts` reads them back.",
    "A cell that a spreadsheet would run as a formula begins with a ' that is not its own; the import takes it off.",
    "A tag with a ; in it comes back as two.",
    "With --json an array of contacts in place of CSV. What is added meanwhile is not in it.",
  ],
  example: "export contacts --status SUBSCRIBED --output people.csv",
  async run(call) {
    const { status, tag, list, output } = call.flags;
    const parsed = parseContactFilter({ status, tag });
    if (!parsed.ok) throw new UsageError(`--status: ${parsed.refusal.message}`);
    await inWorkspace(call, async (services, workspaceId) => {
      const contacts = contactsOf(services, { workspaceId, listId: list, filter: parsed.value });
      if (output === undefined) return write(call, contacts);
      const count = await writeFile(call, output, contacts);
      call.output.warn(`${count} ${count === 1 ? "contact" : "contacts"} in ${output}`);
    });
  },
};

type Wanted = {
  readonly workspaceId: string;
  readonly listId: string | undefined;
  readonly filter: ContactFilter;
};

const PAGE = 500;

/** Reads page by page, so that the memory stays small and a running server can work in between. */
async function* contactsOf(services: Services, wanted: Wanted): AsyncGenerator<Contact> {
  let before: number | null = null;
  do {
    const page: Page<Contact> = await pageOf(services, wanted, { limit: PAGE, before });
    yield* page.items;
    before = page.nextPosition;
  } while (before !== null);
}

/** The members of a list cannot be queried by tag, so those without the tag are skipped here. */
async function pageOf(services: Services, wanted: Wanted, request: PageRequest): Promise<Page<Contact>> {
  const { workspaceId, listId, filter } = wanted;
  if (listId === undefined) return services.contacts.page(workspaceId, filter, request);
  const page = await services.lists.contacts(workspaceId, listId, filter, request);
  const { tag } = filter;
  return tag === null ? page : { ...page, items: page.items.filter(({ tags }) => tags.includes(tag)) };
}

async function write(call: Call, contacts: AsyncIterable<Contact>): Promise<void> {
  if (call.json) return writeJsonArray(call.output, contacts, wire);
  for await (const text of csvOf(contacts)) await call.output.write(text);
}

/** Written under another name until it is complete. It holds people's addresses. */
async function writeFile(call: Call, path: string, contacts: AsyncIterable<Contact>): Promise<number> {
  const part = `${path}.part`;
  if (existsSync(path)) throw new Error(`${path} is there already: name a new file, or take that one away`);
  rmSync(part, { force: true });
  const file = openSync(part, "wx", 0o600);
  try {
    let count = 0;
    const counted = async function* (): AsyncGenerator<Contact> {
      for await (const contact of contacts) {
        count++;
        yield contact;
      }
    };
    const output = { ...call.output, write: async (text: string) => void writeSync(file, text) };
    await write({ ...call, output }, counted());
    fsyncSync(file);
    renameSync(part, path);
    return count;
  } finally {
    closeSync(file);
    rmSync(part, { force: true });
  }
}

const HEADER = ["email", "firstName", "lastName", "tags", "status", "createdAt"];

/** RFC 4180, with every cell in quotes. */
async function* csvOf(contacts: AsyncIterable<Contact>): AsyncGenerator<string> {
  let rows = rowOf(HEADER);
  for await (const { email, firstName, lastName, tags, status, createdAt } of contacts) {
    rows += rowOf([email, firstName, lastName, tags.join(";"), status, timeWire(createdAt) ?? ""]);
    if (rows.length < 65_536) continue;
    yield rows;
    rows = "";
  }
  yield rows;
}

const rowOf = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${guardCell(cell).replaceAll('"', '""')}"`).join(",")}\r\n`;

const wire = ({ createdAt, ...contact }: Contact): object => ({ ...contact, createdAt: timeWire(createdAt) });
