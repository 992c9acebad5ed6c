import { ImapFlow } from "imapflow";
import type { Clock } from "#core/time/clock.ts";
import { errorCode } from "#core/errors/error-code.ts";
import { errorText } from "#core/errors/thrown.ts";
import { withoutPassword } from "#core/text/without-password.ts";
import { certificateWords } from "#core/text/certificate-words.ts";
import { measuredTransport } from "./imap-socket.ts";
import {
  MailboxTrouble,
  READ_BYTES_MAX,
  type FoundMail,
  type MailboxSession,
  type RefusedMail,
} from "./mailbox.ts";
import { mailboxLabel, type MailboxAddress } from "./mailbox-address.ts";

/** The folder for mail that was read. */
const FOLDER = "Postrider";
/** Marks mail that was examined and is left where it is. */
const KEYWORD = "$Postrider";
const LISTED_MAX = 100;
/** How often to look for new mail if the server does not announce it. */
const POLL_MS = 5 * 60_000;

/** More than any answer needs. Of a server that talks on, this much is read after each command. */
const ANSWER_BYTES_MAX = 8 * READ_BYTES_MAX;

const LIMITS = {
  connectionTimeout: 30_000,
  greetingTimeout: 30_000,
  socketTimeout: 10 * 60_000,
  maxIdleTime: 5 * 60_000,
  maxLineLength: 4 * READ_BYTES_MAX,
  maxLiteralSize: READ_BYTES_MAX + 1024,
  maxResponseSize: ANSWER_BYTES_MAX,
  maxResponseTokens: 50_000,
};

/**
 * Reads a mailbox by IMAP (RFC 9051). Mail that was read is moved to the folder Postrider. Mail that is left gets
 * the keyword `$Postrider`, so that the next session skips it. UIDs are used within one session only, so a changed
 * UIDVALIDITY only means that mail is examined again. On a server that can neither move mail nor keep keywords,
 * each session examines all mail again.
 * @throws MailboxTrouble
 */
export async function openImap(
  address: MailboxAddress,
  clock: Clock,
  cut: AbortSignal | undefined,
): Promise<MailboxSession> {
  const client = new ImapFlow({
    host: address.host,
    port: address.port,
    secure: address.secure,
    ...(address.secure ? {} : startTls(address)),
    auth: { user: address.user, pass: address.pass },
    logger: false,
    disableAutoIdle: true,
    // Bytes are counted as they come: compressed, 8 MiB could be 8 GiB of lines.
    disableCompression: true,
    transport: measuredTransport(ANSWER_BYTES_MAX),
    ...LIMITS,
  });
  // An error also ends the current command, and is handled there. That says only that there is no connection.
  let broken: unknown;
  client.on("error", (error) => void (broken ??= error));
  cut?.addEventListener("abort", () => client.close());
  const during = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      client.close();
      throw troubleOf(errorCode(error) === "NoConnection" ? (broken ?? error) : error, address);
    }
  };
  await during(client.connect());
  const opened = await during(client.mailboxOpen(address.folder));
  const flags = opened.permanentFlags;
  const keepsKeywords = flags === undefined || flags.has("\\*") || flags.has(KEYWORD);
  return new ImapSession(client, clock, { during, keepsKeywords, canMove: canMove(client) });
}

/**
 * On this machine a server may be read in the clear. If it takes passwords only over TLS, its certificate does not
 * matter: most have one that they signed themselves.
 */
const startTls = ({ requireTls }: MailboxAddress) =>
  requireTls ? { doSTARTTLS: true } : { tls: { rejectUnauthorized: false } };

/** Without either extension, removing one mail would also remove all others that are marked as deleted. */
const canMove = ({ capabilities }: ImapFlow): boolean =>
  capabilities.has("MOVE") || capabilities.has("UIDPLUS") || capabilities.has("IMAP4rev2");

type Ways = {
  during<T>(work: Promise<T>): Promise<T>;
  readonly keepsKeywords: boolean;
  readonly canMove: boolean;
};

class ImapSession implements MailboxSession {
  /** Mail that this session has handled, whatever the server says. */
  readonly #done = new Set<number>();
  /** Mail that could not be read at this look. */
  readonly #passed = new Set<number>();
  readonly #skipped = new Set<number>();
  #folder: string | null = null;
  /** New mail has arrived since the last look. */
  #hasNews = true;
  #onNews = (): void => undefined;

  constructor(
    private readonly client: ImapFlow,
    private readonly clock: Clock,
    private readonly ways: Ways,
  ) {
    const tell = (): void => {
      this.#hasNews = true;
      this.#onNews();
    };
    client.on("exists", tell);
    client.on("close", tell);
  }

  async list(): Promise<FoundMail[]> {
    this.#hasNews = false;
    const asked = this.ways.keepsKeywords ? { unKeyword: KEYWORD, deleted: false } : { deleted: false };
    const found = await this.ways.during(this.client.search(asked, { uid: true }));
    if (!Array.isArray(found)) throw new MailboxTrouble("connection", "the server does not search");
    return found
      .filter((uid) => ![this.#done, this.#passed, this.#skipped].some((uids) => uids.has(uid)))
      .toSorted((a, b) => a - b)
      .slice(0, LISTED_MAX)
      .map((uid) => ({ id: String(uid), key: `${this.#uidValidity} ${uid}` }));
  }

  /** Does not mark the mail as seen: it is not known yet whether it is for Postrider. */
  async read({ id }: FoundMail): Promise<Uint8Array | RefusedMail | null> {
    const source = { start: 0, maxLength: READ_BYTES_MAX };
    const fetched = this.client.fetchOne(id, { source }, { uid: true }).catch((error: unknown) => {
      if (this.client.usable && isRefusal(error)) return { refusal: error.responseText ?? error.message };
      throw error;
    });
    const mail = await this.ways.during(fetched);
    if (mail !== false && "refusal" in mail) return mail;
    // Of a mail that somebody else has just removed, Dovecot answers NIL, which is no bytes whatever its type says.
    const raw: unknown = mail === false ? undefined : mail.source;
    if (raw instanceof Uint8Array) return raw;
    this.#done.add(Number(id));
    return null;
  }

  async file(mail: FoundMail): Promise<void> {
    const isMoved = this.ways.canMove && (await this.#move(mail));
    if (!isMoved) await this.leave(mail);
    this.#done.add(Number(mail.id));
  }

  async leave({ id }: FoundMail): Promise<void> {
    if (this.ways.keepsKeywords)
      await this.ways.during(this.client.messageFlagsAdd(id, [KEYWORD], { uid: true }));
    this.#done.add(Number(id));
  }

  skip({ id }: FoundMail): void {
    this.#skipped.add(Number(id));
  }

  unskip(): void {
    this.#skipped.clear();
  }

  pass({ id }: FoundMail): void {
    this.#passed.add(Number(id));
  }

  readonly wait = async (): Promise<void> => {
    const { client } = this;
    const isOver = Promise.withResolvers<void>();
    const cancel = this.clock.setTimer(POLL_MS, isOver.resolve);
    this.#onNews = isOver.resolve;
    if (this.#hasNews || !client.usable) isOver.resolve();
    // Idling ends with the next command, and with the connection.
    else client.idle({ whenFree: true }).catch(isOver.resolve);
    await isOver.promise;
    cancel();
    this.#passed.clear();
    if (!client.usable) throw new MailboxTrouble("connection", "the connection was lost");
  };

  get #uidValidity(): string {
    return this.client.mailbox === false ? "" : String(this.client.mailbox.uidValidity);
  }

  async close(): Promise<void> {
    if (!this.client.usable) return this.client.close();
    await this.client.logout().catch(() => this.client.close());
  }

  /**
   * Returns whether the server moved it. A mail that may not be moved, or is in the folder already, stays and is
   * marked.
   */
  async #move({ id }: FoundMail): Promise<boolean> {
    const { client } = this;
    try {
      this.#folder ??= (await client.mailboxCreate(FOLDER)).path;
      // Moved into the folder that is read, it would be new mail, again and again.
      if (client.mailbox !== false && client.mailbox.path === this.#folder) return false;
      return (await client.messageMove(id, this.#folder, { uid: true })) !== false;
    } catch (error) {
      if (!client.usable) throw new MailboxTrouble("connection", "the connection was lost", { cause: error });
      return false;
    }
  }
}

/**
 * `NO` or `BAD`: the connection is all right, and others than this mail can be read. A server that wants fewer commands
 * (`ETHROTTLE`) would refuse them all.
 */
function isRefusal(error: unknown): error is Error & { readonly responseText?: string } {
  if (!(error instanceof Error)) return false;
  const { responseStatus, code } = error as { responseStatus?: string; code?: string };
  return (responseStatus === "NO" || responseStatus === "BAD") && code !== "ETHROTTLE";
}

function troubleOf(error: unknown, address: MailboxAddress): MailboxTrouble {
  if (error instanceof MailboxTrouble) return error;
  const options = { cause: error };
  const { authenticationFailed, responseText } = error as {
    authenticationFailed?: boolean;
    responseText?: string;
  };
  const answer = responseText ? `: ${withoutPassword(responseText, address)}` : "";
  if (authenticationFailed === true)
    return new MailboxTrouble("login", `user or password is refused${answer}`, options);
  const why = answer || `: ${certificateWords(errorCode(error)) || errorText(error)}`;
  return new MailboxTrouble("connection", `${mailboxLabel(address)} cannot be read${why}`, options);
}
