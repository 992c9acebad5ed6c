import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Member } from "./member.ts";
import type { Role } from "./role.ts";

/** The person to add to a workspace. The id counts only if nobody has the address yet. */
export type NewMember = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly now: Instant;
};

/** A one-time link, without its token. */
export type KeptLink = { readonly hash: Uint8Array; readonly expiresAt: Instant };

/** People, and the workspaces that they may enter. Every method is one transaction. */
export type UserStore = {
  /** Newest first. */
  list(workspaceId: string): Promise<Member[]>;
  page(workspaceId: string, page: PageRequest): Promise<Page<Member>>;
  find(workspaceId: string, id: string): Promise<Member | null>;
  findByEmail(workspaceId: string, email: string): Promise<Member | null>;
  /** Adds somebody who joins by the link. Null: the address is in the workspace already. */
  invite(workspaceId: string, member: NewMember, link: KeptLink): Promise<Member | null>;
  /**
   * Adds somebody who has joined at once, with this password. `has-password`: the address has one already, which
   * somebody else may have chosen, so nobody is added.
   * @returns null: the address is in the workspace already
   */
  join(workspaceId: string, member: NewMember, passwordHash: string): Promise<Member | "has-password" | null>;
  /** Writes the role unless `check` refuses. Null: no such person in the workspace. */
  changeRole(workspaceId: string, id: string, role: Role, check: OwnerCheck): Promise<Result<Member> | null>;
  /** Removes the person from the workspace, and from the service if it was their last one. */
  remove(workspaceId: string, id: string, check: OwnerCheck): Promise<Result<null> | null>;
  /**
   * Ends all sessions, the password, the second factor and the passkeys, and keeps the link in place of earlier
   * ones.
   * False: nobody has the address.
   */
  reset(email: string, link: KeptLink, at: Instant): Promise<boolean>;
  /** Keeps a link for the first owner in place of an earlier one. False: somebody owns a workspace already. */
  keepFirstLink(hash: Uint8Array): Promise<boolean>;
};

export type OwnerCheck = (member: Member, owners: number) => Result<null>;
