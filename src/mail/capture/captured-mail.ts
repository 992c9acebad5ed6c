import { errorCode } from "#core/errors/error-code.ts";
import { withPath } from "#core/errors/naming.ts";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HEAD_BYTES_MAX, subjectOf } from "#mail/mime/message-head.ts";
import type { Clock, Instant } from "#core/time/clock.ts";

/** A kept message. `number` increases with every message, even after a restart. */
type CapturedSummary = {
  readonly number: number;
  readonly from: string;
  readonly to: readonly string[];
  /** The workspace that it belongs to; null if unknown. */
  readonly workspaceId: string | null;
  readonly receivedAt: Instant;
  readonly sizeBytes: number;
  readonly subject: string;
};
export type CapturedMessage = CapturedSummary & { readonly raw: Buffer };
export type IncomingMessage = { from: string; to: string[]; workspaceId: string | null; raw: Buffer };

/**
 * Mail that was captured instead of delivered: one `.eml` file per message, its bytes exactly as received,
 * and next to it a `.json` file with the envelope and what a list shows: a list opens no `.eml`, because a
 * message may be long. The newest `countMax` are kept. A message exists once its `.eml` exists. Both files are
 * written under another name and then renamed, so a killed process leaves no half-written message. They are not
 * synced to disk: a power cut may lose the newest ones.
 */
export interface CapturedMail {
  keep(message: IncomingMessage): Promise<void>;
  /** Newest first. `beforeNumber`: only older messages. `workspaceId`: only messages of that workspace. */
  page(limit: number, beforeNumber?: number | null, workspaceId?: string | null): Promise<CapturedSummary[]>;
  /** Null if there is no message with that number, or it was already removed. */
  read(number: number): Promise<CapturedMessage | null>;
}

const MESSAGES_MAX = 1_000;
const ENVELOPES_AT_ONCE = 50;

/** What the `.json` says. */
type Envelope = Omit<CapturedSummary, "number">;
/** Earlier versions did not write the size and the subject, and the first ones not the workspace. */
type WrittenEnvelope = Pick<Envelope, "from" | "to" | "receivedAt"> & Partial<Envelope>;

const KEPT_NAME = /^(\d{12})\.(eml|json)$/;
const UNFINISHED_NAME = /^\.\d{12}\.(?:eml|json)\.part$/;

/** What a file is, if this store named it. Any other is somebody else's, and stays. */
function keptFile(name: string): { readonly number: number; readonly kind: string } | null {
  const [, number, kind] = KEPT_NAME.exec(name) ?? [];
  return number === undefined || kind === undefined ? null : { number: Number(number), kind };
}

/**
 * Opens the store in a directory (created if missing) and removes what a killed process left. No other process may
 * use the directory.
 */
export async function openCapturedMail(
  directory: string,
  clock: Clock,
  countMax = MESSAGES_MAX,
): Promise<CapturedMail> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const names = await readdir(directory);
  const kept = names.flatMap((name) => keptFile(name) ?? []);
  const numbers = kept.filter(({ kind }) => kind === "eml").map(({ number }) => number);
  const whole = new Set(numbers.filter((number) => names.includes(`${fileStem(number)}.json`)));
  const leftOvers = names.filter((name) => {
    const file = keptFile(name);
    return file === null ? UNFINISHED_NAME.test(name) : !whole.has(file.number);
  });
  await Promise.all(leftOvers.map((name) => rm(join(directory, name), { force: true })));
  const last = Math.max(0, ...numbers);
  return new CapturedMailDirectory(
    directory,
    clock,
    countMax,
    [...whole].toSorted((a, b) => a - b),
    last + 1,
  );
}

class CapturedMailDirectory implements CapturedMail {
  /** What was read once, by message number. */
  readonly #written = new Map<number, WrittenEnvelope>();

  constructor(
    private readonly directory: string,
    private readonly clock: Clock,
    private readonly countMax: number,
    /** In ascending order. */
    private readonly numbers: number[],
    private next: number,
  ) {}

  async keep(message: IncomingMessage): Promise<void> {
    const number = this.next++;
    const { from, to, workspaceId } = message;
    const receivedAt = this.clock.now();
    const sizeBytes = message.raw.length;
    const subject = await subjectOf(message.raw);
    const envelope: Envelope = { from, to, workspaceId, receivedAt, sizeBytes, subject };
    try {
      await this.#write(number, "json", JSON.stringify(envelope));
      await this.#write(number, "eml", message.raw);
    } catch (error) {
      // It comes again under another number: on a full disk there would soon be thousands of such files.
      await rm(this.#path(number, "json"), { force: true }).catch(() => undefined);
      throw error;
    }
    this.#insert(number);
    // The message is kept: a failure here would make its sender bring it a second time. The next start removes the old one.
    await this.#dropOldest().catch(() => undefined);
  }

  async page(
    limit: number,
    beforeNumber: number | null = null,
    workspaceId: string | null = null,
  ): Promise<CapturedSummary[]> {
    const older = this.numbers.filter((number) => number < (beforeNumber ?? Number.POSITIVE_INFINITY));
    const wanted =
      workspaceId === null
        ? older.slice(-limit).toReversed()
        : await this.#newestOf(workspaceId, older, limit);
    const found = await Promise.all(wanted.map((number) => this.#summary(number).catch(ifGone)));
    return found.filter((summary) => summary !== null);
  }

  /** `numbers` ascend; the result is newest first. Only envelopes are read, each once. */
  async #newestOf(workspaceId: string, numbers: readonly number[], limit: number): Promise<number[]> {
    const found: number[] = [];
    for (let end = numbers.length; end > 0 && found.length < limit; end -= ENVELOPES_AT_ONCE) {
      const slice = numbers.slice(Math.max(0, end - ENVELOPES_AT_ONCE), end).toReversed();
      const envelopes = await Promise.all(slice.map((number) => this.#envelope(number).catch(ifGone)));
      found.push(...slice.filter((_, index) => envelopes[index]?.workspaceId === workspaceId));
    }
    return found.slice(0, limit);
  }

  async read(number: number): Promise<CapturedMessage | null> {
    if (!this.numbers.includes(number)) return null;
    try {
      const [raw, summary] = await Promise.all([readFile(this.#path(number, "eml")), this.#summary(number)]);
      return { ...summary, raw };
    } catch (error) {
      return ifGone(error);
    }
  }

  async #summary(number: number): Promise<CapturedSummary> {
    const written = await this.#envelope(number);
    const { from, to, workspaceId = null, receivedAt, sizeBytes, subject } = written;
    const seen =
      sizeBytes === undefined || subject === undefined
        ? await this.#seen(number, written)
        : { sizeBytes, subject };
    return { number, from, to, workspaceId, receivedAt, ...seen };
  }

  /** For a message of an earlier version: of its file only the beginning is read. */
  async #seen(
    number: number,
    written: WrittenEnvelope,
  ): Promise<Pick<CapturedSummary, "sizeBytes" | "subject">> {
    await using file = await open(this.#path(number, "eml"));
    const { size: sizeBytes } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES_MAX), 0, HEAD_BYTES_MAX, 0);
    const seen = { sizeBytes, subject: await subjectOf(buffer.subarray(0, bytesRead)) };
    this.#remember(number, { ...written, ...seen });
    return seen;
  }

  async #envelope(number: number): Promise<WrittenEnvelope> {
    const known = this.#written.get(number);
    if (known !== undefined) return known;
    const written = JSON.parse(await readFile(this.#path(number, "json"), "utf8")) as WrittenEnvelope;
    this.#remember(number, written);
    return written;
  }

  #remember(number: number, written: WrittenEnvelope): void {
    if (this.numbers.includes(number)) this.#written.set(number, written);
  }

  /** Messages finish in any order; the list must stay ascending. */
  #insert(number: number): void {
    const at = this.numbers.findLastIndex((other) => other < number) + 1;
    this.numbers.splice(at, 0, number);
  }

  async #dropOldest(): Promise<void> {
    const dropped = this.numbers.splice(0, Math.max(0, this.numbers.length - this.countMax));
    for (const number of dropped) this.#written.delete(number);
    // The .eml is deleted first: without it the message is gone.
    for (const kind of ["eml", "json"] as const)
      await Promise.all(dropped.map((number) => rm(this.#path(number, kind), { force: true })));
  }

  async #write(number: number, kind: "eml" | "json", content: string | Buffer): Promise<void> {
    const aside = join(this.directory, `.${fileStem(number)}.${kind}.part`);
    try {
      await this.#writeNew(aside, content);
      await rename(aside, this.#path(number, kind));
    } catch (error) {
      await rm(aside, { force: true }).catch(() => undefined);
      throw withPath(error, this.directory);
    }
  }

  /** Somebody may have removed the directory to empty the mailbox. The one that it lies in is never made here. */
  async #writeNew(path: string, content: string | Buffer): Promise<void> {
    const write = (): Promise<void> => writeFile(path, content, { mode: 0o600, flag: "wx" });
    await write().catch(async (error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      await mkdir(this.directory, { mode: 0o700 }).catch((taken: unknown) => {
        // Another message has made it meanwhile.
        if (errorCode(taken) !== "EEXIST") throw taken;
      });
      await write();
    });
  }

  #path(number: number, kind: "eml" | "json"): string {
    return join(this.directory, `${fileStem(number)}.${kind}`);
  }
}

/**
 * The message was removed for newer ones while it was being read. Or a power cut left its envelope empty, so it is
 * lost: it must not keep the others from being read.
 */
function ifGone(error: unknown): null {
  if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return null;
  throw error;
}

const fileStem = (number: number): string => String(number).padStart(12, "0");
