/**
 * Keeps the HTML of the MJML that was compiled last. One send asks for the same letter several times: for its check,
 * for its warnings, for its plan and for its messages. Refusals are not kept: they name faults, and some pass.
 */
import { accept, type Result } from "#core/errors/errors.ts";
import type { Clock } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import type { JudgedLetter, LetterSource } from "#mail/letter/letter-faults.ts";
import { mjmlJob } from "#mail/letter/letter-options.ts";
import type { JobName, JobOutput } from "./jobs.ts";
import type { Work } from "./pool.ts";

/** Characters of HTML. A longer letter is not kept, and a server at rest keeps none. */
const CHARACTERS_MAX = 2_000_000;
const KEPT_MS = 10 * MINUTE_MS;

type MjmlJob = ReturnType<typeof mjmlJob>;

const isMjml = (name: JobName): name is MjmlJob => name === "mjml" || name === "liquidMjml";

const keyOf = (name: MjmlJob, source: string): string =>
  `${name} ${new Bun.CryptoHasher("sha256").update(source).digest("base64")}`;

/** HTML by its source, so much of it and for so long. */
function keptHtml(clock: Clock) {
  /** Least recently used first. */
  const kept = new Map<string, string>();
  let characters = 0;
  let cancel = (): void => undefined;
  const drop = (key: string): void => {
    characters -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  };
  const clear = (): void => {
    cancel();
    kept.clear();
    characters = 0;
  };
  return {
    find: (key: string): string | undefined => kept.get(key),
    clear,
    keep(key: string, html: string): void {
      // It would drop all others, and then itself.
      if (html.length > CHARACTERS_MAX) return;
      drop(key);
      kept.set(key, html);
      characters += html.length;
      for (const oldest of kept.keys()) {
        if (characters <= CHARACTERS_MAX) break;
        drop(oldest);
      }
      cancel();
      cancel = clock.setTimer(KEPT_MS, clear);
    },
  };
}

/** The HTML of MJML, if it is at hand: it compiles nothing, and waits for nobody. Null if it is not. */
export type HtmlAtHand = (letter: Parameters<typeof mjmlJob>[0], mjml: string) => string | null;

/** The same work, with the last HTML at hand. */
export function keepingMjml(work: Work, clock: Clock): Work & { readonly htmlAtHand: HtmlAtHand } {
  const { find, keep, clear } = keptHtml(clock);

  const htmlOf = async (workspaceId: string, name: MjmlJob, source: string): Promise<Result<string>> => {
    const key = keyOf(name, source);
    const known = find(key);
    const done = known === undefined ? await work.run(workspaceId, name, source) : accept(known);
    if (done.ok) keep(key, done.value);
    return done;
  };

  /** Its MJML is not compiled again if its HTML is at hand. */
  const judge = async (workspaceId: string, letter: LetterSource): Promise<Result<JudgedLetter>> => {
    if (letter.format === "html") return await work.run(workspaceId, "letterFaults", letter);
    const key = keyOf(mjmlJob(letter), letter.html);
    const known = find(key);
    const asked = known === undefined ? letter : ({ ...letter, format: "html" } as const);
    const done = await work.run(workspaceId, "letterFaults", asked);
    const html = known ?? (done.ok ? done.value.html : null);
    if (html !== null) keep(key, html);
    return done;
  };

  const run: Work["run"] = async (workspaceId, name, input) => {
    const done =
      name === "letterFaults"
        ? await judge(workspaceId, input as LetterSource)
        : isMjml(name)
          ? await htmlOf(workspaceId, name, input as string)
          : await work.run(workspaceId, name, input);
    // A job's input and output go with its name, as `JOBS` says.
    return done as Result<JobOutput<typeof name>>;
  };

  return {
    run,
    htmlAtHand: (letter, mjml) => find(keyOf(mjmlJob(letter), mjml)) ?? null,
    reachedAt(baseUrl) {
      clear();
      work.reachedAt(baseUrl);
    },
    stop() {
      clear();
      work.stop();
    },
  };
}
