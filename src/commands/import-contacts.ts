import { quoted } from "#core/text.ts";
import { PLACE, type Call, type Command } from "./command.ts";
import { importRows, type ImportResult } from "./import-rows.ts";
import { openImport } from "./import-source.ts";
import { inWorkspace } from "./open.ts";
import { printResult } from "./tables.ts";

export const importContacts: Command = {
  name: "import contacts",
  says: "Adds or changes the contacts of a CSV file by the rules of POST /contacts.",
  operands: ["FILE.csv"],
  flags: [
    { name: "list", value: "ID", says: "Put everybody who may be mailed on this list." },
    {
      name: "status",
      value: "STATUS",
      says: "For rows without one: PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED.",
    },
    {
      name: "trigger-automations",
      value: "",
      says: "Let new subscribers and gained tags start LIVE automations.",
    },
    ...PLACE,
  ],
  takesJson: true,
  notes: [
    "The first row names the columns, in any order: email (needed), firstName, lastName, tags (separated by ;), status.",
    "Without a status column --status must be given: SUBSCRIBED says that these people agreed to marketing mail.",
    "An empty name leaves a contact's as it is; tags replace, and without a tags column they are left alone.",
    "Counted are rows: created, updated, and skipped: people who opted out or bounced before. They stay so and join no list.",
    "Bad rows are reported with the line they start on and do not stop the rest. Without --trigger-automations an import starts no automation.",
  ],
  example: "import contacts people.csv --list list_01hx --status SUBSCRIBED",
  async run(call) {
    const source = await openImport(call.operands[0]!, call.flags.status);
    const { unknown } = source.header;
    if (unknown.length > 0)
      call.output.warn(`columns that are not imported: ${unknown.map(quoted).join(", ")}`);
    const listId = call.flags.list;
    const triggersAutomations = call.flags["trigger-automations"] !== undefined;
    const result = await inWorkspace(call, (services, workspaceId) =>
      importRows(call, source, { services, workspaceId, listId, triggersAutomations }),
    );
    await report(call, result);
  },
};

async function report(call: Call, { created, updated, skipped, errors }: ImportResult): Promise<void> {
  const sorted = errors.toSorted((a, b) => a.line - b.line);
  if (!call.json) for (const { line, message } of sorted) call.output.warn(`line ${line}: ${message}`);
  await printResult(
    call,
    { created, updated, skipped, errors: sorted },
    `${created} created, ${updated} updated, ${skipped} skipped, ${errors.length} with errors`,
  );
}
