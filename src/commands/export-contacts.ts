import { isoOrNull } from "#core/time/iso.ts";
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { clearLeftParts, giveFreeName, ownPartOf, takenName } from "#app/database.ts";
import { naming } from "#core/errors/naming.ts";
import { counted } from "#core/text/text.ts";
import { CONTACT_STATUSES, type Contact } from "#contacts/contact.ts";
import { parseContactFilter } from "#contacts/contact-filter.ts";
import { PLACE, UsageError, type Call, type Command } from "#commands/line/command.ts";
import { inWorkspace, recordBeforehand } from "./open.ts";
import { writeJsonArray } from "#commands/line/printing.ts";
import { checkDirectoryOf, withUnfinished } from "#commands/line/unfinished-files.ts";

export const exportContacts: Command = {
  name: "export contacts",
  says: "Writes the contacts as CSV, newest first.",
  operands: [],
  flags: [
    {
      name: "status",
      value: "STATUS",
      says: "Only contacts with this status: PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED.",
      choices: CONTACT_STATUSES,
    },
    { name: "tag", value: "TAG", says: "Only contacts with this tag." },
    { name: "list", value: "ID", says: "Only contacts on this list." },
    { name: "segment", value: "ID", says: "Only contacts in this segment." },
    { name: "suppressed", value: "", says: "Also why somebody is never mailed, so that an import knows." },
    { name: "output", value: "FILE", says: "Write to a new file, readable by you alone (standard output)." },
    ...PLACE,
  ],
  takesJson: true,
  notes: [
    "Columns: email, firstName, lastName, tags (separated by ;, or quoted where one holds a ;), status, createdAt, and attributes.NAME for each that somebody has. `import contacts` reads them back.",
    "A cell that a spreadsheet would run as a formula begins with a ' that is not its own; the import takes it off.",
    "Tags come back whole. Attributes come back as texts: to keep numbers, true and false, and lists, use --json and POST /contacts/bulk.",
    "With --suppressed a last column, suppressed, says why somebody is never mailed: HARD_BOUNCE, COMPLAINT, MANUAL, UNSUBSCRIBED, or nothing. `import contacts` suppresses these people again. Without it, who is SUBSCRIBED and suppressed is mailed there. With --json only those who are suppressed have the member.",
    "With --json it writes an array of contacts in place of CSV. Contacts that are added meanwhile are left out.",
  ],
  example: "export contacts --suppressed --output people.csv",
  async run(call) {
    const { status, tag, list, segment, output } = call.flags;
    if (output === "") throw new UsageError("--output is empty: name a file, or leave it out");
    checkChosen(call);
    const parsed = parseContactFilter({ status, tag });
    if (!parsed.ok) throw new UsageError(`--status: ${parsed.refusal.message}`);
    await inWorkspace(call, async (services, workspaceId) => {
      if (list !== undefined) await services.lists.find(workspaceId, list);
      if (segment !== undefined) await services.segments.find(workspaceId, segment);
      const wanted = {
        listId: list ?? null,
        segmentId: segment ?? null,
        filter: parsed.value,
        tellsSuppressed: call.flags.suppressed !== undefined,
      };
      let count = 0;
      const add = (contacts: number): void => void (count += contacts);
      const people = () =>
        services.exports.pieces(workspaceId, wanted, (piece) => {
          add(piece.length);
          return piece;
        });
      const write = async (to: Call): Promise<void> => {
        await recordBeforehand(services, workspaceId, "contacts_exported", output ?? null);
        if (to.json) await writeJsonArray(to.output, one(people()), wire);
        else await writeCsv(to, services.exports.csv(workspaceId, wanted, add));
      };
      if (output === undefined) return write(call);
      await writeFile(call, output, write);
      call.output.warn(`${counted(count, "contact", "contacts")} in ${output}`);
    });
  },
};

/** An empty variable of a shell (`--tag "$TAG"`) would mean everybody. */
function checkChosen({ flags }: Call): void {
  const empty = ["status", "tag", "list", "segment"].find((flag) => flags[flag] === "");
  if (empty !== undefined) throw new UsageError(`--${empty} is empty: give it a value, or leave it out`);
}

type Pieces = AsyncIterable<readonly Contact[]>;

async function writeCsv({ output }: Call, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) await output.write(text);
}

async function* one(pieces: Pieces): AsyncGenerator<Contact> {
  for await (const piece of pieces) yield* piece;
}

/**
 * Written under another name until it is complete. It holds people's addresses.
 * @param write called when the file is there: before that, nothing is an export
 */
async function writeFile(call: Call, path: string, write: (to: Call) => Promise<void>): Promise<void> {
  // A name of its own: a second process would put its unfinished file in the place of ours.
  const part = ownPartOf(path);
  checkDirectoryOf(resolve(path));
  if (existsSync(path)) throw takenName(path);
  clearLeftParts(resolve(path), call.clock.now());
  rmSync(part, { force: true });
  await withUnfinished([part], async () => {
    const file = naming(path, () => openSync(part, "wx", 0o600));
    try {
      const take = async (text: string) => naming(path, () => writeFileSync(file, text));
      await write({ ...call, output: { ...call.output, write: take } });
      naming(path, () => fsyncSync(file));
      giveFreeName(part, path);
    } finally {
      closeSync(file);
      rmSync(part, { force: true });
    }
  });
}

const wire = ({ createdAt, ...contact }: Contact): object => ({
  ...contact,
  createdAt: isoOrNull(createdAt),
});
