import { Advised } from "#core/errors/advised.ts";
import { errorCode, FULL_DISK, NOT_OURS } from "#core/errors/error-code.ts";
import { READ_ONLY_ADVICE, systemWords } from "#core/errors/system-words.ts";
import { errorText } from "#core/errors/thrown.ts";
import { settingsFromRows, type Settings, type SettingPair } from "#workspaces/settings/settings.ts";
import type { InboundAddress } from "#mail/inbound/inbound-address.ts";
import type { Rates } from "#stats/rates.ts";
import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import { checkClock } from "#doctor/machine/clock-sanity.ts";
import { checkDataDirectory } from "#doctor/machine/data-directory.ts";
import { about, fail, ok, warn, type Check, type Finding } from "./finding.ts";
import { readFault } from "#doctor/machine/whole-reading.ts";
import { checkBaseUrl, checkProxy, type Reached } from "#doctor/machine/public-address.ts";
import { checkInboundPort, checkMailbox } from "#doctor/workspace/reports-in.ts";
import { checkReputation } from "#doctor/workspace/reputation.ts";
import {
  checkOwnRelays,
  checkRelays,
  checkSenderDomain,
  type MailWorld,
} from "#doctor/workspace/workspace-mail.ts";
import type { TroubledWebhook } from "#webhooks/webhook.ts";
import { checkWebhooks } from "#doctor/workspace/webhooks.ts";
import { checkSettings } from "#doctor/workspace/workspace-settings.ts";

/** Where and how the service runs. */
export type Installation = Reached & {
  readonly dataDir: string;
  /** Null: the data is in PostgreSQL. */
  readonly databasePath: string | null;
  /** Null: mail is captured. */
  readonly relays: readonly RelayAddress[] | null;
  /** Where mail comes in; null if it does not. */
  readonly inboundSmtp: InboundAddress | null;
};

/** What was read from the database; see `storage/sqlite/files/inspect.ts`, `storage/postgres/run/inspect.ts`. */
export type InspectedDatabase = {
  readonly damage: string | null;
  readonly foreignPart: string | null;
  readonly pending: readonly string[];
  /** Where its data was moved, in words; null: it is here. */
  readonly movedTo: string | null;
  readonly lastRunAt: number | null;
  /** Only of a server: the time on its clock. */
  readonly serverNow?: number;
  /** Only of a server: what was found about it. */
  readonly findings?: readonly Finding[];
  readonly workspaces: readonly {
    readonly id: string;
    readonly settings: readonly SettingPair[];
    readonly webhooks: readonly TroubledWebhook[];
    readonly rates: Rates | null;
  }[];
};

/**
 * Finds everything that keeps a service from running well, in the order in which to correct it. Changes
 * nothing and sends nothing.
 * @param inspect rejects if the file cannot be read as a database
 */
export async function* examine(
  installation: Installation,
  inspect: () => Promise<InspectedDatabase>,
  world: MailWorld,
): AsyncGenerator<Finding> {
  const { dataDir, databasePath, baseUrl, relays } = installation;
  if (databasePath !== null) yield* checkDataDirectory(dataDir, databasePath);
  const { findings, database } = await lookTwice(inspect, databasePath);
  yield* findings;
  yield checkClock(world.clock.now(), database?.lastRunAt ?? null, database?.serverNow ?? null);
  yield* await checkRelays(relays ?? [], world.clock);
  const { inboundSmtp } = installation;
  if (inboundSmtp !== null) yield await checkInboundPort(inboundSmtp, world.clock);
  const mailWorld = { ...world, inboundSmtp: inboundSmtp !== null };
  let delivers = relays !== null;
  for (const { id, settings: rows, webhooks, rates } of database?.workspaces ?? []) {
    const settings = readSettings(rows);
    if (settings === null) {
      const check = about("settings", `settings of ${id}`);
      yield fail(check, "they cannot be read", "set them again with postrider settings set");
      continue;
    }
    delivers ||= settings.smtpUrl !== "";
    yield* checkSettings(id, settings);
    yield* await checkOwnRelays(settings, world);
    yield* await checkMailbox(settings, world.clock);
    if (relays !== null || settings.smtpUrl !== "") yield* await checkSenderDomain(settings, mailWorld);
    if (rates !== null) yield* checkReputation(rates);
    yield* checkWebhooks(webhooks);
  }
  if (!delivers) yield ok(about("mail"), "captured, not delivered: set SMTP_URL to deliver it");
  yield checkBaseUrl(baseUrl, delivers);
  yield checkProxy(installation);
}

/** What an error means that came where the database was opened. A backup is the answer to damage alone. */
function failed(check: Check, error: unknown, path: string | null): Finding {
  const why = errorText(error);
  if (error instanceof Advised) return fail(check, why, null);
  if (path === null) return fail(check, why, "set DATABASE_URL right, and see that PostgreSQL runs");
  const code = errorCode(error);
  if (code === NOT_OURS)
    return fail(check, why, "put a good backup in its place: postrider restore BACKUP --force");
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    const advice = `try again when that process has ended; \`fuser ${path}\` names it`;
    return fail(check, "another process keeps it locked", advice);
  }
  if (FULL_DISK.test(code)) return fail(check, `${path}: its disk is full`, "make room");
  const words = error instanceof Error ? systemWords(error) : null;
  return fail(
    check,
    words ?? `${path}: ${why}`,
    code === "EROFS"
      ? READ_ONLY_ADVICE
      : "see that it is a file, that this user may open it, and that its disk works",
  );
}

const moved = (check: Check, place: string): Finding =>
  fail(
    check,
    `its data was moved to ${place}`,
    "look there; to go on here instead: postrider move --take-back",
  );

type Looked = { readonly findings: readonly Finding[]; readonly database: InspectedDatabase | null };
type Damage = { readonly damage: string };

/** SQLite says the same of a file that is damaged and of one read that failed. So what seems damaged is read again. */
async function lookTwice(inspect: () => Promise<InspectedDatabase>, path: string | null): Promise<Looked> {
  const first = await look(inspect, path);
  if (!("damage" in first)) return first;
  const second = await look(inspect, path);
  if ("damage" in second) return { findings: [damaged(second.damage, path)], database: null };
  const doubt = warn(
    about("database"),
    `it seemed damaged (${first.damage}), but not when it was read again`,
    "make a backup, and see what the system says of its disk (dmesg): its disk may be failing",
  );
  return { ...second, findings: [doubt, ...second.findings] };
}

async function look(
  inspect: () => Promise<InspectedDatabase>,
  path: string | null,
): Promise<Looked | Damage> {
  const check = about("database");
  try {
    const database = await inspect();
    const { damage, foreignPart, pending, movedTo } = database;
    if (damage !== null) return { damage };
    if (foreignPart !== null)
      return {
        findings: [fail(check, `changed by other means: ${foreignPart}`, "undo that, or restore a backup")],
        database: null,
      };
    // What is set in it counts for nobody any more.
    if (movedTo !== null)
      return {
        findings: [...(database.findings ?? []), moved(check, movedTo)],
        database: { ...database, workspaces: [] },
      };
    if (database.findings) return { findings: database.findings, database };
    const note = pending.length === 0 ? "" : `; ${pending.length} upgrade steps wait for the next start`;
    return { findings: [ok(check, `whole${note}`)], database };
  } catch (error) {
    // A damaged database may fail before any check of it can run.
    if (errorCode(error).startsWith("SQLITE_CORRUPT")) return { damage: errorText(error) };
    return { findings: [failed(check, error, path)], database: null };
  }
}

function damaged(what: string, path: string | null): Finding {
  const check = about("database");
  const fault = path === null ? null : readFault(path);
  if (fault === null)
    return fail(
      check,
      `damaged: ${what}`,
      "postrider restore BACKUP --force, which keeps this file beside the new one",
    );
  return fail(
    check,
    `its disk cannot be read (${fault}), so nobody knows whether it is damaged`,
    "see to the disk first (dmesg says what is wrong with it), then run this again; if it cannot be helped, restore a backup on another disk",
  );
}

function readSettings(rows: readonly SettingPair[]): Settings | null {
  try {
    return settingsFromRows(rows);
  } catch {
    return null;
  }
}
