import { resolve } from "node:path";
import { databasePath } from "#app/database.ts";
import { readDatabase, readDataDirectory } from "#config.ts";
import { parseDatabaseUrl, type DatabaseAddress } from "#core/addresses/database-url.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import type { Moved } from "#move/service.ts";
import { DATA_DIR, UsageError, type Call, type Command } from "#commands/line/command.ts";
import { progressBar } from "#commands/line/progress.ts";
import { printResult } from "#commands/line/printing.ts";
import { presentDatabase } from "./open.ts";

export const move: Command = {
  name: "move",
  says: "Copies all data from SQLite into an empty PostgreSQL, or back. Stop the servers first.",
  operands: [],
  flags: [
    {
      name: "to",
      value: "WHERE",
      says: "postgres://user:password@host:5432/name; or a directory, and DATABASE_URL says where from.",
    },
    {
      name: "take-back",
      value: "",
      says: "Instead: let servers start again on a database that was moved away. Everything that would send is held, no mailbox is read.",
    },
    DATA_DIR,
  ],
  takesJson: true,
  notes: [
    "The old database keeps its rows, and is marked: no server or command starts on it any more, unless you run `move --take-back`.",
    "If it is interrupted, run it again: it continues where it stopped. No server starts on an incomplete copy.",
    "`move --take-back` brings back the people as they were at the move: who left since then may be mailed again. To keep what",
    "happened since, move the data with `--to`.",
    "At the end both sides are compared: the rows of each table, the sums of their numbers, and the lengths of their texts.",
    "As after a restore, everything that would send is held: live automations are paused, webhooks wait until they are",
    "enabled, the rest until `postrider campaign release ID`, `automation release ID` or `form release ID`.",
    "Keys, links and sessions still work. Files stay where they are: DKIM keys, captured mail, backups.",
  ],
  example: "move --to postgres://postrider:password@db.example.com:5432/postrider",
  async run(call) {
    if (call.flags["take-back"] !== undefined) return await goBack(call);
    const to = call.flags.to;
    if (to === undefined || to === "")
      throw new UsageError("say where to: --to postgres://…, or --to DIRECTORY");
    const bar = progressBar(call.clock, call.output);
    const show = (share: number, table: string): void => bar.show(share, table);
    const { tables, rows, held } = await moveAll(call, to, show).finally(bar.end);
    const where = isPostgres(to) ? "PostgreSQL" : databasePath(resolve(to));
    const next = isPostgres(to)
      ? "Start the servers with DATABASE_URL set to the new address."
      : "Start the server without DATABASE_URL, and with this directory as DATA_DIR.";
    await printResult(
      call,
      { tables, rows, held },
      [
        `${rows} rows of ${tables} tables are in ${where}, and equal to the old ones.`,
        heldText(held),
        next,
      ].join("\n"),
    );
  },
};

const HELD =
  "things are held (campaigns, mail, automations, webhooks, mailboxes) until you release, enable or set them: `postrider help move`.";

/** Nobody knows which automation a person paused, so what is held since earlier is not counted. */
const HELD_BEFORE = "What was held before is held still, until you release, enable or set it.";

const PEOPLE_AS_THEY_WERE =
  "People are as they were at the move: who left, complained, bounced or was suppressed since then may be mailed again. Suppress them here before you release or send anything, or move the data from there with `move --to`.";

const isPostgres = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

async function goBack(call: Call): Promise<void> {
  if (call.flags.to !== undefined)
    throw new UsageError("give either --to (move) or --take-back (undo a move)");
  const address = unwrap(readDatabase(call));
  if (address === null) presentDatabase(call);
  const directory = unwrap(readDataDirectory(call));
  const held = await (await import("#app/move.ts")).takeBack(directory, address, quietWorld(call));
  await printResult(
    call,
    { held },
    ["Servers start on this database again.", heldText(held), PEOPLE_AS_THEY_WERE].join("\n"),
  );
}

const heldText = (held: number): string =>
  `${held === 0 ? "Nothing more had to be held." : `${held} ${HELD}`} ${HELD_BEFORE}`;

/** Both engines are loaded only when this command runs. */
async function moveAll(
  call: Call,
  to: string,
  onMoved: (share: number, table: string) => void,
): Promise<Moved> {
  const from = unwrap(readDatabase(call));
  const world = quietWorld(call);
  if (isPostgres(to)) {
    if (from !== null)
      throw new UsageError(
        "DATABASE_URL says that the data is in PostgreSQL already: unset it to move the data of SQLite",
      );
    presentDatabase(call);
    const [directory, address] = [unwrap(readDataDirectory(call)), targetOf(call, to)];
    return await (await import("#app/move.ts")).moveToPostgres(directory, address, world, onMoved);
  }
  if (from === null)
    throw new UsageError("set DATABASE_URL to the PostgreSQL that has the data, or give --to postgres://…");
  return await (await import("#app/move.ts")).moveToSqlite(from, resolve(to), world, onMoved);
}

const quietWorld = ({ clock }: Call) => ({
  clock,
  random: systemRandom,
  log: createLog({ level: "error", format: "json", clock, write: () => undefined }),
});

/** Includes the settings for poolers. */
function targetOf({ environment }: Call, to: string): DatabaseAddress {
  const parsed = parseDatabaseUrl(to);
  if (!parsed.ok) throw new UsageError(`--to: ${parsed.refusal.message}`);
  return { url: parsed.value, prepare: environment["DATABASE_PREPARE"] !== "off" };
}
