import type { SignedIn } from "#core/request/access.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Revision } from "#core/revision.ts";
import type { Session } from "./session.ts";

/** What a sign-in is checked against. */
export type Account = {
  readonly id: string;
  readonly email: string;
  /** Null: they have chosen none yet, or it was reset. */
  readonly passwordHash: string | null;
  readonly totpSecret: string | null;
  /** The newest step whose code was used. */
  readonly totpStep: number | null;
};

export type NewSession = {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly stays: boolean;
  readonly now: Instant;
};

/** Why a link may be used, and by whom. */
export type Link =
  /** By anybody, while nobody owns a workspace. */
  | { readonly kind: "first" }
  /** By the person of the account. */
  | {
      readonly kind: "person";
      readonly account: Account;
      /** Whether the link alone proves who they are; otherwise they give the password they have. */
      readonly setsPassword: boolean;
    };

/** What somebody sends with a link: a new password, or proof that the account is theirs. */
export type Welcome = {
  readonly email: string;
  /** Of an account that is made now. */
  readonly newUserId: string;
  /** The account that was checked; null: there is none. If it has changed by now, nothing happens. */
  readonly known: Account | null;
  /** Null: it keeps its password. */
  readonly passwordHash: string | null;
  readonly totpStep: number | null;
};

/** Accounts and sessions. Every method is one transaction, and writes into the audit log what it does. */
export type SessionStore = {
  account(email: string): Promise<Account | null>;
  /**
   * Opens a session and ends the one that the browser had. False, and nothing is done, if the account's
   * password or code has changed meanwhile.
   */
  open(
    account: Account,
    session: NewSession,
    totpStep: number | null,
    replaced: Uint8Array | null,
  ): Promise<boolean>;
  /** Records a failure in the workspaces of the person with this address. */
  failed(email: string, at: Instant): Promise<void>;
  /** Also one that is over. */
  find(hash: Uint8Array): Promise<Session | null>;
  /** Newest first. */
  list(userId: string): Promise<Session[]>;
  markSeen(id: string, at: Instant): Promise<void>;
  /** False: the person has no such session. */
  end(userId: string, id: string): Promise<boolean>;
  /** Also ends every other session. False if the account has another password by now. */
  changePassword(account: Account, passwordHash: string, keptSession: string, at: Instant): Promise<boolean>;
  /** Stores a secret that is not used until it is confirmed. */
  proposeTotp(userId: string, secret: string): Promise<void>;
  proposedTotp(userId: string): Promise<string | null>;
  /** False if another secret was proposed meanwhile, or the session that asks is over, such as by a reset. */
  confirmTotp(
    by: Pick<SignedIn, "userId" | "sessionId">,
    secret: string,
    step: number,
    at: Instant,
  ): Promise<boolean>;
  removeTotp(userId: string, at: Instant): Promise<void>;
  /** Null: there is no such link, or it cannot be used any more. */
  link(hash: Uint8Array, now: Instant): Promise<Link | null>;
  /**
   * Uses a link up, opens a session and ends the one that the browser had. False: the link was used meanwhile,
   * or the account has changed.
   */
  welcome(
    linkHash: Uint8Array,
    welcome: Welcome,
    session: NewSession,
    replaced: Uint8Array | null,
  ): Promise<boolean>;
  /** Of changed people and sessions. */
  readonly revision: Revision;
};
