import { parseHostName } from "#core/addresses/email-address.ts";
import { unwrap } from "#core/errors/errors.ts";
import { firstOperand, PLACE, type Command } from "#commands/line/command.ts";
import { inWorkspace, recordedIfChanged, recordedInWorkspace } from "./open.ts";
import { printList, printResult } from "#commands/line/printing.ts";

export const blockedDomainAdd: Command = {
  name: "blocked-domain add",
  says: "Blocks a domain: addresses on it are skipped when sending.",
  operands: ["DOMAIN"],
  flags: PLACE,
  takesJson: true,
  notes: ["Exactly this domain: its subdomains are not blocked."],
  example: "blocked-domain add example.org",
  run: (call) =>
    recordedIfChanged(call, "domain_blocked", async ({ suppressions }, workspaceId) => {
      const { entry } = await suppressions.blockDomain(workspaceId, firstOperand(call));
      const { domain } = entry;
      await printResult(call, { domain }, `${domain} is blocked`);
    }),
};

export const blockedDomainRemove: Command = {
  name: "blocked-domain remove",
  says: "Unblocks a domain.",
  operands: ["DOMAIN"],
  flags: PLACE,
  takesJson: true,
  example: "blocked-domain remove example.org",
  run: (call) =>
    recordedInWorkspace(call, "domain_unblocked", async ({ suppressions }, workspaceId) => {
      const domain = unwrap(parseHostName(firstOperand(call).trim()));
      if (!(await suppressions.unblockDomain(workspaceId, domain)))
        throw new Error(`${domain} is not blocked`);
      await printResult(call, { domain }, `${domain} is no longer blocked`);
    }),
};

export const blockedDomainList: Command = {
  name: "blocked-domain list",
  says: "Lists the blocked domains.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "blocked-domain list",
  run: (call) =>
    inWorkspace(call, async ({ suppressions }, workspaceId) => {
      const domains = await suppressions.blockedDomains(workspaceId);
      await printList(
        call,
        domains,
        ({ domain }) => ({ domain }),
        [{ title: "DOMAIN", of: ({ domain }) => domain }],
        "No domains are blocked.",
      );
    }),
};
