import type { Clock } from "#core/time/clock.ts";
import { AppError, notFound, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Random } from "#core/random.ts";
import type { PasswordHashing } from "./hashing.ts";
import { checkLastOwner } from "./last-owner.ts";
import { parseNewPassword } from "./password.ts";
import type { Role } from "./role.ts";
import type { Member } from "./member.ts";
import type { KeptLink, NewMember, UserStore } from "./store.ts";
import { LINK_MS, linkToken, secretHash } from "./welcome-link.ts";

export type UserService = ReturnType<typeof userService>;

type Parts = {
  readonly users: UserStore;
  readonly hashing: PasswordHashing;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
};

/** A person, and the token of their link if they join by one. The token is shown only this once. */
type Added = { readonly member: Member; readonly token: string | null };

/** The people of a workspace, and the links by which they join. */
export const userService = (parts: Parts) => ({ ...memberCalls(parts), ...linkCalls(parts) });

function newLink({ random, clock }: Pick<Parts, "random" | "clock">): KeptLink & { token: string } {
  const token = linkToken(random.bytes(32));
  return { token, hash: secretHash(token), expiresAt: clock.now() + LINK_MS };
}

function memberCalls(parts: Parts) {
  const { users, hashing, clock, newId } = parts;

  const newMember = (email: string, role: Role): NewMember => ({
    id: newId("usr"),
    email,
    role,
    now: clock.now(),
  });

  const alreadyMember = async (workspaceId: string, email: string): Promise<AlreadyMember> => {
    const there = await users.findByEmail(workspaceId, email);
    return new AlreadyMember(email, there?.joinedAt === null);
  };

  const invite = async (workspaceId: string, email: string, role: Role) => {
    const { token, ...link } = newLink(parts);
    const member = await users.invite(workspaceId, newMember(email, role), link);
    if (member === null) throw await alreadyMember(workspaceId, email);
    return { member, token };
  };

  const byEmail = async (workspaceId: string, email: string): Promise<Member> => {
    const member = await users.findByEmail(workspaceId, email);
    if (member === null) throw notFound(email);
    return member;
  };

  const remove = async (workspaceId: string, id: string): Promise<void> => {
    const removed = await users.remove(workspaceId, id, checkLastOwner);
    if (removed === null) throw nobody(id);
    unwrap(removed);
  };

  return {
    list: (workspaceId: string): Promise<Member[]> => users.list(workspaceId),

    page: (workspaceId: string, page: PageRequest): Promise<Page<Member>> => users.page(workspaceId, page),

    /** @throws AppError NOT_FOUND */
    async find(workspaceId: string, id: string): Promise<Member> {
      const member = await users.find(workspaceId, id);
      if (member === null) throw nobody(id);
      return member;
    },

    invite,

    /**
     * Adds somebody for the operator. A person who is given a password here has joined at once. Others get a link,
     * also with an account: whoever invited the address elsewhere first may know its password.
     * @throws AppError CONFLICT, VALIDATION_ERROR
     */
    async add(workspaceId: string, email: string, role: Role, password?: string): Promise<Added> {
      if (password === undefined) return await invite(workspaceId, email, role);
      const hash = await hashing.hash(unwrap(parseNewPassword(password, email)));
      const joined = await users.join(workspaceId, newMember(email, role), hash);
      if (joined === "has-password") throw hasPassword(email);
      if (joined === null) throw await alreadyMember(workspaceId, email);
      return { member: joined, token: null };
    },

    /** @throws AppError NOT_FOUND; CONFLICT for the last owner */
    async changeRole(workspaceId: string, id: string, role: Role): Promise<Member> {
      const check = role === "owner" ? () => ({ ok: true, value: null }) as const : checkLastOwner;
      const changed = await users.changeRole(workspaceId, id, role, check);
      if (changed === null) throw nobody(id);
      return unwrap(changed);
    },

    /** @throws AppError NOT_FOUND; CONFLICT for the last owner */
    remove,

    /** The same for an address. */
    async removeByEmail(workspaceId: string, email: string): Promise<void> {
      await remove(workspaceId, (await byEmail(workspaceId, email)).id);
    },
  };
}

function linkCalls(parts: Parts) {
  const { users, clock } = parts;
  return {
    /**
     * Ends all sessions, the password, the second factor and the passkeys of somebody, in every workspace.
     * @returns the token of the link with which they choose a new password
     * @throws AppError NOT_FOUND
     */
    async reset(email: string): Promise<string> {
      const { token, ...link } = newLink(parts);
      if (!(await users.reset(email, link, clock.now())))
        throw new AppError(
          "NOT_FOUND",
          `there is nobody with the address ${email}: see \`postrider user list\``,
        );
      return token;
    },

    /** The token of the link that makes the first owner; null if somebody owns a workspace already. */
    async firstLink(): Promise<string | null> {
      const { token, hash } = newLink(parts);
      return (await users.keepFirstLink(hash)) ? token : null;
    },
  };
}

const nobody = (id: string): AppError => notFound(`The person ${id}`);

/** Who is to be added is in the workspace already. */
export class AlreadyMember extends AppError {
  /** @param isInvited they have not joined yet: perhaps their link was lost, or is too old */
  constructor(
    email: string,
    readonly isInvited: boolean,
  ) {
    super(
      "CONFLICT",
      isInvited
        ? `${email} was invited already. For a new link, remove them first, then invite them again.`
        : `${email} is in this workspace already. Change the role instead.`,
    );
  }
}

const hasPassword = (email: string): AppError =>
  new AppError(
    "CONFLICT",
    `${email} has a password already: leave --password out, or use \`postrider user reset\``,
  );
