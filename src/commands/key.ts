import { isoOrNull } from "#core/time/iso.ts";
import { nameTarget } from "#core/request/acting.ts";
import { notFound, unwrap } from "#core/errors/errors.ts";
import { parseKeyName } from "#keys/key-name.ts";
import { KEY_SCOPES, parseScope, type KeyScope } from "#keys/scope.ts";
import { firstOperand, PLACE, UsageError, type Command } from "#commands/line/command.ts";
import { inWorkspace, recordedIfChanged, recordedInWorkspace } from "./open.ts";
import { pairs, printList, printOnce, printResult, timeText } from "#commands/line/printing.ts";

export const keyCreate: Command = {
  name: "key create",
  says: "Creates an API key, which is shown only once.",
  operands: [],
  flags: [
    { name: "name", value: "NAME", says: "What it is for (API key)." },
    {
      name: "scope",
      value: "SCOPE",
      says: "What the key may do: full, send (mail and events), read (full).",
      choices: KEY_SCOPES,
    },
    ...PLACE,
  ],
  takesJson: true,
  notes: ["With --json and --scope the answer names the scope."],
  example: "key create --name 'Signup page' --scope send",
  async run(call) {
    const wanted = unwrap(parseKeyName(call.flags.name));
    const scope = keyScope(call.flags.scope);
    await recordedInWorkspace(call, "key_created", async ({ keys }, workspaceId) => {
      const { id, name, key } = await keys.create(workspaceId, wanted, scope);
      nameTarget(id);
      await printOnce(
        call,
        { id, name, key, ...(call.flags.scope === undefined ? {} : { scope }) },
        `${pairs([
          ["Key", `${id}  ${name}`],
          ["Scope", scope],
          ["API key", key],
        ])}\nThe key is shown this once: keep it now.`,
        `The key ${id} was made, but could not be shown: revoke it with \`postrider key revoke ${id}\`, and make another`,
      );
    });
  },
};

export const keyList: Command = {
  name: "key list",
  says: "Lists the API keys, newest first, revoked ones too.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "key list",
  run: (call) =>
    inWorkspace(call, async ({ keys }, workspaceId) => {
      await printList(
        call,
        await keys.list(workspaceId),
        ({ id, name, prefix, createdAt, lastUsedAt, revokedAt }) => ({
          id,
          name,
          prefix,
          createdAt: isoOrNull(createdAt),
          lastUsedAt: isoOrNull(lastUsedAt),
          revokedAt: isoOrNull(revokedAt),
        }),
        [
          { title: "ID", of: (key) => key.id },
          { title: "STARTS WITH", of: (key) => key.prefix },
          { title: "SCOPE", of: (key) => key.scope },
          { title: "CREATED", of: (key) => timeText(key.createdAt) },
          { title: "LAST USED", of: (key) => timeText(key.lastUsedAt) },
          { title: "REVOKED", of: (key) => timeText(key.revokedAt) },
          { title: "NAME", of: (key) => key.name },
        ],
        "There are no API keys.",
      );
    }),
};

export const keyRevoke: Command = {
  name: "key revoke",
  says: "Revokes an API key for good; a second time changes nothing.",
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  example: "key revoke key_01hx",
  run: (call) =>
    recordedIfChanged(call, "key_revoked", async ({ keys }, workspaceId) => {
      const id = firstOperand(call);
      const revoked = await keys.revoke(workspaceId, id);
      if (revoked === null) throw notFound(`The key ${id}`);
      await printResult(
        call,
        { id, revokedAt: isoOrNull(revoked.revokedAt) },
        `${id} is revoked since ${timeText(revoked.revokedAt)}`,
      );
    }),
};

function keyScope(text: string | undefined): KeyScope {
  const scope = parseScope(text);
  if (scope.ok) return scope.value;
  throw new UsageError(`--scope must be one of ${KEY_SCOPES.join(", ")}`);
}
