import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { readDatabase, readDataDirectory } from "#config.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import { nameTarget } from "#core/request/acting.ts";
import { unwrap } from "#core/errors/errors.ts";
import { isUnreachable } from "#core/errors/storage-error.ts";
import { checkDkimRecord, systemDns } from "#doctor/dns/dns.ts";
import { readSigningKey } from "#doctor/dns/signing-key.ts";
import { parseSettings, type Settings } from "#workspaces/settings/settings.ts";
import { decideSigning, dkimRecord, isAligned, notAligned, zoneText } from "#workspaces/signing.ts";
import { PLACE, UsageError, type Call, type Command } from "#commands/line/command.ts";
import { makeKeyFile } from "./dkim-key.ts";
import { inWorkspace, recordedInWorkspace } from "./open.ts";
import { pairs, printResult } from "#commands/line/printing.ts";

const SELECTOR = "postrider";

export const dkimCreate: Command = {
  name: "dkim create",
  says: "Creates the key that signs a workspace's mail, and prints the DNS record to set.",
  operands: [],
  flags: [
    {
      name: "domain",
      value: "DOMAIN",
      says: "The domain that signs: that of fromEmail, which is the default, or one above it.",
    },
    {
      name: "selector",
      value: "SELECTOR",
      says: `The name of this key among others of the domain (${SELECTOR}).`,
    },
    ...PLACE,
  ],
  takesJson: true,
  notes: [
    "RSA, 2048 bits, in DATA_DIR/dkim; a key that exists is never overwritten. Keep a copy: backups do not hold it.",
    "Mail is signed with it from now on, so set the record at once. A running server uses it without a restart.",
  ],
  example: "dkim create --selector mail2026",
  async run(call) {
    const directory = keyDirectory(call);
    await recordedInWorkspace(call, "settings_changed", async ({ workspaces }, id) => {
      nameTarget("dkimDomain, dkimSelector, dkimPrivateKeyFile");
      const { dkimDomain, dkimSelector } = chosen(call, await workspaces.settings(id));
      const file = resolve(directory, `${id}-${dkimSelector}.pem`);
      makeKeyFile(file);
      await workspaces
        .changeSettings(id, { dkimDomain, dkimSelector, dkimPrivateKeyFile: file })
        .catch(async (error: unknown) => {
          const isUsed = await usesKey(() => workspaces.settings(id), file, error);
          // Then it would only be in the way of the next try.
          if (!isUsed) rmSync(file);
          throw error;
        });
      await printRecord(call, await workspaces.settings(id));
    });
  },
};

/**
 * Where keys are. The settings name the file for every server: with PostgreSQL no database shows that the directory is
 * theirs, and a key in the one where somebody's shell happens to stand would stop the workspace's mail.
 */
function keyDirectory(call: Call): string {
  const isNamed = (call.flags["data-dir"] ?? call.environment.DATA_DIR ?? "") !== "";
  if (!isNamed && unwrap(readDatabase(call)) !== null)
    throw new UsageError(
      "the data is in PostgreSQL (DATABASE_URL): name the DATA_DIR of the servers with --data-dir, and put the key in the same place on each of them",
    );
  return resolve(unwrap(readDataDirectory(call)), "dkim");
}

export const dkimShow: Command = {
  name: "dkim show",
  says: "Prints the DNS record of a workspace's key again.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "dkim show",
  run: (call) =>
    inWorkspace(call, async ({ workspaces }, id) => printRecord(call, await workspaces.settings(id))),
};

export const dkimCheck: Command = {
  name: "dkim check",
  says: "Checks whether the DNS has the right record of a workspace's key.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  notes: ["Exit code 1 if it is missing or wrong, or if DNS does not answer within 3 seconds."],
  example: "dkim check",
  run: (call) =>
    inWorkspace(call, async ({ workspaces }, id) => {
      const { name, publicKey } = signingKey(await workspaces.settings(id));
      const found = await checkDkimRecord(systemDns, call.clock, { name, publicKey });
      const { check, result, message, advice } = found;
      if (result === "ok") return printResult(call, found, `${check}: ${message}`);
      if (call.json) await printResult(call, found, "");
      throw new Error(`${check}: ${message}. ${advice}`);
    }),
};

/**
 * Whether the settings may name the key although they could not be changed. After a flush that failed they do, as long
 * as the disk is read from memory. If nobody can say, they may.
 */
export async function usesKey(
  settings: () => Promise<Pick<Settings, "dkimPrivateKeyFile">>,
  file: string,
  error: unknown,
): Promise<boolean> {
  if (isUnreachable(error)) return true;
  return await settings().then(
    ({ dkimPrivateKeyFile }) => dkimPrivateKeyFile === file,
    () => true,
  );
}

function chosen({ flags }: Call, { fromEmail }: Settings): Pick<Settings, "dkimDomain" | "dkimSelector"> {
  if (fromEmail === "")
    throw new UsageError(
      "the workspace has no sender yet: postrider settings set fromEmail=news@example.com",
    );
  const wanted = [
    { key: "dkimDomain", value: flags.domain ?? domainOf(fromEmail) },
    { key: "dkimSelector", value: flags.selector ?? SELECTOR },
  ];
  const { dkimDomain = "", dkimSelector = "" } = unwrap(parseSettings(wanted));
  if (dkimDomain === "" || dkimSelector === "")
    throw new UsageError("--domain and --selector must not be empty");
  if (!isAligned(dkimDomain, fromEmail)) throw new UsageError(notAligned(dkimDomain, fromEmail));
  return { dkimDomain, dkimSelector };
}

/**
 * The record of the key that signs mail.
 * @throws if no key signs, or if its file cannot be used
 */
function signingKey(settings: Settings) {
  const signing = unwrap(decideSigning(settings, settings.fromEmail));
  if (signing === null) throw new Error("the workspace signs no mail: make a key with postrider dkim create");
  const { publicKey, findings } = readSigningKey(signing.keyFile);
  if (publicKey === null) throw new Error(findings.map(({ message }) => message).join("; "));
  return { ...dkimRecord(signing.domain, signing.selector, publicKey), publicKey, ...signing };
}

async function printRecord(call: Call, settings: Settings): Promise<void> {
  const { name, value, keyFile } = signingKey(settings);
  const text = pairs([
    ["Key", keyFile],
    ["Name", name],
    ["Type", "TXT"],
    ["Value", zoneText(value)],
  ]);
  const note = "Where your DNS asks for one long value, leave out the quotes and the space between them.";
  await printResult(
    call,
    { name, type: "TXT", value, keyFile },
    `${text}\n${note}\nThen: postrider dkim check`,
  );
}
