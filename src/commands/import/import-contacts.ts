import { CONTACT_STATUSES } from "#contacts/contact.ts";
import { quotedSome } from "#core/text.ts";
import { firstOperand, PLACE, type Call, type Command } from "#commands/line/command.ts";
import { importRows, type ImportResult } from "./import-rows.ts";
import { openImport } from "./import-source.ts";
import { inWorkspace } from "#commands/open.ts";
import { printResult } from "#commands/line/tables.ts";

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
      choices: CONTACT_STATUSES,
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
    "Bad rows are reported with the line they start on, the first 1,000 of them, and do not stop the rest. Exit code 1 if every row is bad.",
    "Without --trigger-automations an import starts no automation.",
  ],
  example: "import contacts people.csv --list list_01hx --status SUBSCRIBED",
  async run(call) {
    const source = await openImport(firstOperand(call), call.flags.status);
    const { unknown } = source.header;
    if (unknown.length > 0) call.output.warn(`columns that are not imported: ${quotedSome(unknown)}`);
    const listId = call.flags.list;
    const triggersAutomations = call.flags["trigger-automations"] !== undefined;
    const result = await inWorkspace(call, (services, workspaceId) =>
      importRows(call, source, { services, workspaceId, listId, triggersAutomations }),
    );
    await report(call, result);
    const { created, updated, skipped, errors } = result;
    if (created + updated + skipped === 0)
      throw new Error(
        `nothing was imported: ${errors.length > 0 ? "every row has an error" : "there is no row behind the first"}`,
      );
  },
};

async function report(call: Call, result: ImportResult): Promise<void> {
  const { created, updated, skipped, errors, moreErrors } = result;
  const sorted = errors.toSorted((a, b) => a.line - b.line);
  if (!call.json) for (const { line, message } of sorted) call.output.warn(`line ${line}: ${message}`);
  if (!call.json && moreErrors > 0) call.output.warn(`${moreErrors} more rows have errors`);
  await printResult(
    call,
    { created, updated, skipped, errors: sorted, ...(moreErrors > 0 ? { moreErrors } : {}) },
    `${created} created, ${updated} updated, ${skipped} skipped, ${errors.length + moreErrors} with errors`,
  );
}
