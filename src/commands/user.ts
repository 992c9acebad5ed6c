import { isoOrNull } from "#core/time/iso.ts";
import { nameTarget } from "#core/request/acting.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { AppError } from "#core/errors/errors.ts";
import type { Member } from "#users/member.ts";
import { AlreadyMember } from "#users/service.ts";
import { parseRole, ROLES, type Role } from "#users/role.ts";
import { LINK_DAYS, welcomeAddress } from "#users/welcome-link.ts";
import { BASE_URL, baseUrlOf } from "#commands/line/base-url.ts";
import {
  DATA_DIR,
  firstOperand,
  PLACE,
  UsageError,
  type Call,
  type Command,
} from "#commands/line/command.ts";
import { inWorkspace, recordedInWorkspace, withServices } from "./open.ts";
import { pairs, printList, printOnce, printResult, timeText } from "#commands/line/printing.ts";

const wire = ({ id, email, role, createdAt, lastSeenAt }: Member) => ({
  id,
  email,
  role,
  createdAt: isoOrNull(createdAt),
  lastSeenAt: isoOrNull(lastSeenAt),
});

export const userAdd: Command = {
  name: "user add",
  says: "Lets somebody sign in to a workspace, and prints the link with which they choose a password.",
  operands: ["ADDRESS"],
  flags: [
    { name: "role", value: "ROLE", says: `What they may do: ${ROLES.join(", ")}.`, choices: ROLES },
    { name: "password", value: "PASSWORD", says: "Their password, instead of a link." },
    ...BASE_URL,
    ...PLACE,
  ],
  takesJson: true,
  notes: [
    "owner: everything. editor: everything but people, keys and settings. viewer: reads, without exports.",
    `The link works once, within ${LINK_DAYS} days. Nothing is mailed: hand it over yourself.`,
    "Somebody who has an account already gets a link too: it asks for the password that the account has. Only that",
    "person should get it: an inviter elsewhere may have chosen the password. A password on a command line can be read",
    "by others on this machine while the command runs, and stays in the history of the shell.",
  ],
  example: "user add ada@example.com --role editor",
  async run(call) {
    const role = roleOf(call.flags.role);
    const email = addressOf(call);
    const link = linkOf(call);
    await recordedInWorkspace(call, "person_added", async ({ users }, workspaceId) => {
      nameTarget(email);
      const { member, token } = await users
        .add(workspaceId, email, role, call.flags.password)
        .catch((error: unknown) => {
          throw error instanceof AlreadyMember ? alreadyThere(email, error) : error;
        });
      const url = token === null ? null : link(token);
      await printOnce(
        call,
        { ...wire(member), link: url },
        pairs([["Person", `${member.id}  ${member.email}  ${member.role}`], ...shown(url)]),
        `${email} was added. ${url === null ? "" : newLink(email)}`.trimEnd(),
      );
    });
  },
};

export const userList: Command = {
  name: "user list",
  says: "Lists the people of a workspace, newest first, including those who were only invited.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "user list",
  run: (call) =>
    inWorkspace(call, async ({ users }, workspaceId) => {
      await printList(
        call,
        await users.list(workspaceId),
        wire,
        [
          { title: "ID", of: ({ id }) => id },
          { title: "ROLE", of: ({ role }) => role },
          { title: "ADDED", of: ({ createdAt }) => timeText(createdAt) },
          {
            title: "LAST SEEN",
            of: ({ lastSeenAt, joinedAt }) => (joinedAt === null ? "invited" : timeText(lastSeenAt)),
          },
          { title: "ADDRESS", of: ({ email }) => email },
        ],
        "Nobody may sign in: postrider user add ADDRESS --role owner",
      );
    }),
};

export const userReset: Command = {
  name: "user reset",
  says: "Removes somebody's password, codes and sessions, and prints the link to choose a new one.",
  operands: ["ADDRESS"],
  flags: [...BASE_URL, DATA_DIR],
  takesJson: true,
  notes: [
    "For people who forgot the password, lost the phone, or had either stolen. It applies to every workspace.",
    `The link works once, within ${LINK_DAYS} days. Nothing is mailed: hand it over yourself.`,
  ],
  example: "user reset ada@example.com",
  async run(call) {
    const email = addressOf(call);
    const link = linkOf(call);
    await withServices(call, async ({ users }) => {
      const url = link(await users.reset(email));
      await printOnce(
        call,
        { email, link: url },
        pairs([["Person", email], ...shown(url)]),
        "The password, codes and sessions are gone already, but the link could not be shown: run the same command again for another",
      );
    });
  },
};

export const userRemove: Command = {
  name: "user remove",
  says: "Removes somebody from a workspace.",
  operands: ["ADDRESS"],
  flags: PLACE,
  takesJson: true,
  notes: [
    "The last owner of a workspace cannot be removed. A person who is in no other workspace is deleted, with sessions and password.",
  ],
  example: "user remove ada@example.com",
  async run(call) {
    const email = addressOf(call);
    await recordedInWorkspace(call, "person_removed", async ({ users }, workspaceId) => {
      nameTarget(email);
      await users.removeByEmail(workspaceId, email);
      await printResult(call, { email, removed: true }, `${email} is removed`);
    });
  },
};

function roleOf(text: string | undefined): Role {
  const role = parseRole(text ?? "");
  if (role.ok) return role.value;
  throw new UsageError(`--role must be one of ${ROLES.join(", ")}`);
}

function addressOf(call: Call): string {
  const email = parseEmailAddress(firstOperand(call));
  if (email.ok) return email.value;
  throw new UsageError(`ADDRESS: ${email.refusal.message}`);
}

/** Read before anything is changed: a bad BASE_URL must not use up a link. */
function linkOf(call: Call): (token: string) => string {
  const { baseUrl, warn } = baseUrlOf(call);
  return (token) => {
    warn("link");
    return welcomeAddress(baseUrl, token);
  };
}

/**
 * No command changes a role: what the API says of it helps nobody here. Who was only invited needs no reset: they may
 * have an account, which it would empty.
 */
const alreadyThere = (email: string, { isInvited }: AlreadyMember): AppError =>
  new AppError(
    "CONFLICT",
    isInvited
      ? `${email} was invited already. ${newLink(email)}`
      : `${email} is in this workspace already. For a new link: postrider user reset ${email} (it removes the password, codes and sessions too). The role is changed in the console's settings, or with PATCH /users/{id}`,
  );

const newLink = (email: string): string =>
  `For a new link: postrider user remove ${email}, then user add once more`;

const shown = (url: string | null): (readonly [string, string])[] => (url === null ? [] : [["Link", url]]);
