/** A mail of a mailbox that is read. `id` is good within its session only. */
export type FoundMail = { readonly id: string };

/** So much of a mail is read; what is longer has its report in front, and the rest is the returned message. */
export const READ_BYTES_MAX = 1024 * 1024;

/**
 * A mailbox while it is open. A mail is filed or left only after its effect is durable, so that a kill in
 * between has it read once more. Every method rejects with a `MailboxTrouble` where the server is in the way;
 * then the session is over.
 */
export type MailboxSession = {
  /** Some mails that nobody has looked at, oldest first. Never one that this session filed or left. */
  list(): Promise<readonly FoundMail[]>;
  /** Its first `READ_BYTES_MAX` bytes; null if it is gone. */
  read(mail: FoundMail): Promise<Uint8Array | null>;
  /** Takes it out of the way: it is moved to another folder, or deleted where there are no folders. */
  file(mail: FoundMail): Promise<void>;
  /** Leaves it where it is, and does not show it again. */
  leave(mail: FoundMail): Promise<void>;
  /** Resolves when there may be new mail. Null: the session shows none, and another has to be opened later. */
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
