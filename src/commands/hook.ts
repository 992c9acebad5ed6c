import { hookAddress, isProvider, PROVIDER_NAMES, PROVIDERS } from "#inbound/hooks/provider.ts";
import { BASE_URL, baseUrlOf } from "#commands/line/base-url.ts";
import { firstOperand, PLACE, UsageError, type Command } from "#commands/line/command.ts";
import { inWorkspace } from "./open.ts";
import { pairs, printResult } from "#commands/line/printing.ts";

export const hookShow: Command = {
  name: "hook show",
  says: "Prints the address to which a mail provider reports bounces and complaints.",
  operands: ["PROVIDER"],
  choices: PROVIDER_NAMES,
  flags: [...BASE_URL, ...PLACE],
  takesJson: true,
  notes: [
    `The providers: ${PROVIDER_NAMES.join(", ")}.`,
    "The address holds a secret: whoever knows it can report for providers that sign nothing.",
  ],
  example: "hook show postmark --base-url https://mail.example.com",
  async run(call) {
    const provider = firstOperand(call);
    if (!isProvider(provider)) throw new UsageError(`PROVIDER must be one of ${PROVIDER_NAMES.join(", ")}`);
    const { baseUrl, warn } = baseUrlOf(call);
    await inWorkspace(call, async ({ workspaces }, workspaceId) => {
      const settings = await workspaces.settings(workspaceId);
      if (settings.hookSecret === "")
        throw new Error("the workspace takes no reports: set hookSecret to 32 to 64 letters and digits");
      const { signature, advice } = PROVIDERS[provider];
      const key = signature?.key;
      warn("address");
      const url = hookAddress(baseUrl, provider, settings);
      const isKeySet = key === undefined || settings[key] !== "";
      const text = pairs([
        ["Address", url],
        ...(key === undefined
          ? []
          : [["Key", isKeySet ? `${key} is set` : `missing: postrider settings set ${key}=…`] as const]),
        ["Where", advice],
      ]);
      await printResult(call, { provider, url, key: key ?? null, isKeySet }, text);
    });
  },
};
