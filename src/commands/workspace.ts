import { isoOrNull } from "#core/time/iso.ts";
import { present } from "#core/present.ts";
import { unwrap } from "#core/errors/errors.ts";
import { parseSetting } from "#workspaces/settings/settings.ts";
import { DATA_DIR, PLACE, UsageError, type Command } from "#commands/line/command.ts";
import { inWorkspace, withServices, withServicesOrNew } from "./open.ts";
import { pairs, printList, printOnce, printResult, timeText } from "#commands/line/printing.ts";

export const workspaceCreate: Command = {
  name: "workspace create",
  says: "Creates a workspace and its first API key, which is shown only once.",
  operands: [],
  flags: [{ name: "name", value: "NAME", says: "What to call it." }, DATA_DIR],
  takesJson: true,
  notes: ["Also creates the database if there is none yet."],
  example: "workspace create --name Newsletter",
  async run(call) {
    if (call.flags.name === undefined) throw new UsageError("workspace create needs --name NAME");
    const { name = "" } = unwrap(parseSetting("name", call.flags.name));
    const { id, key } = await withServicesOrNew(call, ({ workspaces }) => workspaces.create(name));
    await printOnce(
      call,
      { id, name, key },
      `${pairs([
        ["Workspace", `${id}  ${name}`],
        ["API key", key],
      ])}\nThe key is shown this once: keep it now.`,
      `The workspace ${id} was made, but its key could not be shown: make another with \`postrider key create --workspace ${id}\``,
    );
  },
};

type Row = { readonly id: string; readonly name: string; readonly createdAt: number };

export const workspaceList: Command = {
  name: "workspace list",
  says: "Lists the workspaces.",
  operands: [],
  flags: [DATA_DIR],
  takesJson: true,
  example: "workspace list",
  run: (call) =>
    withServices(call, async ({ workspaces }) => {
      const rows: Row[] = [];
      for (const one of await workspaces.list())
        rows.push({ ...one, name: (await workspaces.settings(one.id)).name });
      await printList(
        call,
        rows,
        (row) => ({ id: row.id, name: row.name, createdAt: isoOrNull(row.createdAt) }),
        [
          { title: "ID", of: (row) => row.id },
          { title: "CREATED", of: (row) => timeText(row.createdAt) },
          { title: "NAME", of: (row) => row.name },
        ],
        "There are no workspaces: postrider workspace create --name NAME",
      );
    }),
};

export const workspaceShow: Command = {
  name: "workspace show",
  says: "Shows a workspace and how much is in it.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "workspace show",
  run: (call) =>
    inWorkspace(call, async ({ workspaces }, id) => {
      const { name } = await workspaces.settings(id);
      const { createdAt } = present(
        (await workspaces.list()).find((one) => one.id === id),
        "workspace that was picked",
      );
      const counts = await workspaces.counts(id);
      const contacts = Object.entries(counts.contacts).map(([status, n]) => `${n} ${status}`);
      await printResult(
        call,
        { id, name, createdAt: isoOrNull(createdAt), ...counts },
        pairs([
          ["Workspace", id],
          ["Name", name],
          ["Created", timeText(createdAt)],
          ["Contacts", contacts.join(", ")],
          ["Lists", String(counts.lists)],
          ["Campaigns", String(counts.campaigns)],
        ]),
      );
    }),
};
