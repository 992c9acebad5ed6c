import { errorCode } from "#core/errors/error-code.ts";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Email } from "postal-mime";
import { parseMail } from "#mail/mime/parse-mail.ts";
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
export type CapturedMessage = CapturedSummary & { readonly raw: Buffer; readonly parsed: Email };
export type IncomingMessage = { from: string; to: string[]; workspaceId: string | null; raw: Buffer };

/**
 * Mail that was captured instead of delivered: one `.eml` file per message, its bytes exactly as received,
 * and next to it a `.json` file with the envelope. The newest `countMax` are kept. A message exists once its
 * `.eml` exists. Both files are written under another name and then renamed, so a killed process leaves no
 * half-written message. They are not synced to disk: a power cut may lose the newest ones.
 */
export interface CapturedMail {
  keep(message: IncomingMessage): Promise<void>;
  /** Newest first. `beforeNumber`: only older messages. `workspaceId`: only messages of that workspace. */
  page(limit: number, beforeNumber?: number | null, workspaceId?: string | null): Promise<CapturedSummary[]>;
  /** Null if there is no message with that number, or it was already removed. */
  read(number: number): Promise<CapturedMessage | null>;
}

const capturedCountMax = 1_000;
const ENVELOPES_AT_ONCE = 50;

type Envelope = { from: string; to: string[]; workspaceId: string | null; receivedAt: Instant };

/**
 * Opens the store in a directory (created if missing) and removes what a killed process left. No other process may
 * use the directory.
 */
export async function openCapturedMail(
  directory: string,
  clock: Clock,
  countMax = capturedCountMax,
): Promise<CapturedMail> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const names = await readdir(directory);
  const numbers = names.flatMap((name) => /^(\d{12})\.eml$/.exec(name)?.[1] ?? []).map(Number);
  const whole = new Set(numbers.filter((number) => names.includes(`${fileStem(number)}.json`)));
  const leftOvers = names.filter(
    (name) => /^\.?\d{12}\./.test(name) && !whole.has(Number(name.replace(/^\./, "").slice(0, 12))),
  );
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
  readonly #summaries = new Map<number, CapturedSummary>();
  /** The workspace of each message whose envelope was read, by message number. */
  readonly #owners = new Map<number, string | null>();

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
    const envelope: Envelope = { from, to, workspaceId, receivedAt: this.clock.now() };
    await this.#write(number, "json", JSON.stringify(envelope));
    await this.#write(number, "eml", message.raw);
    this.#insert(number);
    await this.#dropOldest();
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
    const found = await Promise.all(
      wanted.map(async (number) => this.#summaries.get(number) ?? (await this.read(number))),
    );
    return found.filter((summary) => summary !== null).map(summaryOf);
  }

  /** `numbers` ascend; the result is newest first. Only envelopes are read, each once. */
  async #newestOf(workspaceId: string, numbers: readonly number[], limit: number): Promise<number[]> {
    const found: number[] = [];
    for (let end = numbers.length; end > 0 && found.length < limit; end -= ENVELOPES_AT_ONCE) {
      const slice = numbers.slice(Math.max(0, end - ENVELOPES_AT_ONCE), end).toReversed();
      const owners = await Promise.all(slice.map((number) => this.#ownerOf(number)));
      found.push(...slice.filter((_, index) => owners[index] === workspaceId));
    }
    return found.slice(0, limit);
  }

  async #ownerOf(number: number): Promise<string | null> {
    const known = this.#owners.get(number);
    if (known !== undefined) return known;
    const envelope = await this.#envelope(number).catch(ifGone);
    const owner = envelope?.workspaceId ?? null;
    if (this.numbers.includes(number)) this.#owners.set(number, owner);
    return owner;
  }

  async read(number: number): Promise<CapturedMessage | null> {
    if (!this.numbers.includes(number)) return null;
    try {
      const [raw, envelope] = await Promise.all([
        readFile(this.#path(number, "eml")),
        this.#envelope(number),
      ]);
      const parsed = await parseMail(raw);
      const message = {
        number,
        ...envelope,
        sizeBytes: raw.length,
        subject: parsed.subject ?? "",
        raw,
        parsed,
      };
      if (this.numbers.includes(number)) this.#summaries.set(number, summaryOf(message));
      return message;
    } catch (error) {
      return ifGone(error);
    }
  }

  async #envelope(number: number): Promise<Envelope> {
    const json = await readFile(this.#path(number, "json"), "utf8");
    // Messages stored by earlier versions do not name their workspace.
    return { workspaceId: null, ...(JSON.parse(json) as Omit<Envelope, "workspaceId">) };
  }

  /** Messages finish in any order; the list must stay ascending. */
  #insert(number: number): void {
    const at = this.numbers.findLastIndex((other) => other < number) + 1;
    this.numbers.splice(at, 0, number);
  }

  async #dropOldest(): Promise<void> {
    const dropped = this.numbers.splice(0, Math.max(0, this.numbers.length - this.countMax));
    for (const number of dropped) {
      this.#summaries.delete(number);
      this.#owners.delete(number);
    }
    // The .eml is deleted first: without it the message is gone.
    for (const kind of ["eml", "json"] as const)
      await Promise.all(dropped.map((number) => rm(this.#path(number, kind), { force: true })));
  }

  async #write(number: number, kind: "eml" | "json", content: string | Buffer): Promise<void> {
    const aside = join(this.directory, `.${fileStem(number)}.${kind}.part`);
    await writeFile(aside, content, { mode: 0o600, flag: "wx" });
    await rename(aside, this.#path(number, kind));
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

function summaryOf(message: CapturedSummary): CapturedSummary {
  const { number, from, to, workspaceId, receivedAt, sizeBytes, subject } = message;
  return { number, from, to, workspaceId, receivedAt, sizeBytes, subject };
}
