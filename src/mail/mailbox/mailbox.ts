/** A mail in a mailbox that is being read. */
export type FoundMail = {
  /** Valid only within its session. */
  readonly id: string;
  /** The same in the next session, unless the server numbers its mails anew. */
  readonly key: string;
};

/** This much of a mail is read. A longer mail has its report at the start; the rest is the returned message. */
export const READ_BYTES_MAX = 1024 * 1024;

/** The server does not hand out this one mail, and says why. */
export type RefusedMail = { readonly refusal: string };

/**
 * A mailbox while it is open. File or leave a mail only after its effect is durable: if the process is killed in
 * between, the mail is read once more. Every method rejects with a `MailboxTrouble` if the server fails; then the
 * session is over.
 */
export type MailboxSession = {
  /** Some mails that were not examined before, oldest first. Never one that this session filed or left. */
  list(): Promise<readonly FoundMail[]>;
  /** The first `READ_BYTES_MAX` bytes; null if the mail is gone. */
  read(mail: FoundMail): Promise<Uint8Array | RefusedMail | null>;
  /**
   * Removes the mail from the mailbox: moves it to another folder, or deletes it if there are no folders. If the
   * server refuses that, the mail is left.
   */
  file(mail: FoundMail): Promise<void>;
  /** Leaves the mail where it is, and does not list it again. */
  leave(mail: FoundMail): Promise<void>;
  /** Changes nothing about the mail, which another reader of the mailbox takes. It is listed no more, until `unskip`. */
  skip(mail: FoundMail): void;
  /** What was skipped is listed again. */
  unskip(): void;
  /** Changes nothing about the mail, which cannot be read now: a later look lists it again. */
  pass(mail: FoundMail): void;
  /**
   * Resolves when there may be new mail. Null: this session never shows new mail, so a new one must be opened
   * later.
   */
  readonly wait: (() => Promise<void>) | null;
  /** Ends the session properly, or cuts it off. Never rejects. */
  close(): Promise<void>;
};

/** Why a mailbox cannot be read. The message is for people, and never contains the password. */
export class MailboxTrouble extends Error {
  constructor(
    /** `login`: the server answers, but refuses user or password. */
    readonly kind: "login" | "connection",
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "MailboxTrouble";
  }
}
