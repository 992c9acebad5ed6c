/** A mail of a mailbox that is read. `id` is good within its session only. */
export type FoundMail = { readonly id: string };

/** This much of a mail is read. A longer mail has its report in front; the rest is the returned message. */
export const READ_BYTES_MAX = 1024 * 1024;

/**
 * A mailbox while it is open. File or leave a mail only after its effect is durable: after a kill in between
 * it is read once more. Every method rejects with a `MailboxTrouble` if the server fails; then the session is
 * over.
 */
export type MailboxSession = {
  /** Some mails that nobody has looked at, oldest first. Never one that this session filed or left. */
  list(): Promise<readonly FoundMail[]>;
  /** Its first `READ_BYTES_MAX` bytes; null if it is gone. */
  read(mail: FoundMail): Promise<Uint8Array | null>;
  /** Removes it from the mailbox: it is moved to another folder, or deleted if there are no folders. */
  file(mail: FoundMail): Promise<void>;
  /** Leaves it where it is, and does not show it again. */
  leave(mail: FoundMail): Promise<void>;
  /**
   * Resolves when there may be new mail. Null: this session never shows new mail, so another has to be opened
   * later.
   */
  readonly wait: (() => Promise<void>) | null;
  /** Ends the session in order, or cuts it off. Never rejects. */
  close(): Promise<void>;
};

/** Why a mailbox cannot be read. Its message is for people, and never has the password. */
export class MailboxTrouble extends Error {
  constructor(
    /** `login`: the server is there, and refuses user or password. */
    readonly kind: "login" | "connection",
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "MailboxTrouble";
  }
}
