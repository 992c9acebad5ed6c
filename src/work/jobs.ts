/**
 * The work that is done in threads, by name. A job is a pure function of plain data: its input is copied to the
 * thread and its output is copied back. Everything that may take long because of a stranger's text belongs here.
 * `pool.ts` has the threads and the budgets. Code that reads HTML is loaded by the first job that needs it: neither
 * the start nor an idle server needs it.
 */
import type { Flow } from "#automations/flow/flow.ts";
import { simulate, type Simulation, type SimulationInput } from "#automations/simulation/simulate.ts";
import { problemsOf, type FlowProblem, type Surroundings } from "#automations/flow/problems.ts";
import { readParts } from "#bounces/reading/mail-parts.ts";
import { NOTHING_READ, readMail, type MailReading } from "#bounces/reading/read-mail.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { FULL, type Allowance } from "#mail/liquid/allowance.ts";
import { areBriefValues, isBriefHtml, isShort, lengthOf, pieceAsText } from "#mail/letter/single/brief.ts";
import type { JudgedLetter, LetterSource } from "#mail/letter/letter-faults.ts";
import { liquidLetter, type AuthoredLetter, type FilledLetter } from "#mail/letter/slots/liquid-letter.ts";
import type { LiquidMoment, LiquidScope } from "#mail/liquid/liquid.ts";
import type { WrittenMarketing } from "#mail/letter/marketing/marketing-message.ts";
import type { LetterPiece, MarketingTemplate } from "#mail/letter/marketing/marketing-mail.ts";
import { readCaptured, readMessage, type CapturedParts, type MessageTexts } from "#mail/mime/read-message.ts";
import type { WrittenLetter } from "#mail/problems/letter-warnings.ts";
import type { Problem } from "#mail/problems/problem.ts";
import type { RequestSource } from "#mail/letter/single/request-letter.ts";
import type { WrittenTransactional } from "#mail/letter/single/transactional-message.ts";
import type { Matter } from "./refusals.ts";

type Job<Input, Output> = {
  /** What a refusal speaks of. */
  readonly about: Matter;
  /** The size of the input, in characters and bytes. */
  sizeOf(input: Input): number;
  /**
   * Whether the job is certain to take only a few milliseconds, whatever the input says. Then no thread is
   * used (`mail/letter/single/brief.ts`).
   */
  isBrief(input: Input): boolean;
  /**
   * @param baseUrl where readers reach this service
   * @throws NeedsThread if it needs more than the allowance after all
   */
  perform(input: Input, allowance: Allowance, baseUrl: string): Result<Output> | Promise<Result<Output>>;
};

/** A letter's templates, and the values to fill in. */
type FillInput = {
  readonly letter: AuthoredLetter;
  readonly scope: LiquidScope;
  readonly moment?: LiquidMoment;
};

/** MJML to HTML. */
const mjml: Job<string, string> = {
  about: "letter",
  sizeOf: (source) => source.length,
  isBrief: () => false,
  perform: async (source, _allowance, baseUrl) =>
    (await import("#mail/html/mjml/mjml.ts")).compileMjml(source, baseUrl),
};

/** MJML to HTML, where Liquid is filled in afterwards: refused if the compiler drops some of it. */
const liquidMjml: Job<string, string> = {
  ...mjml,
  perform: async (source, _allowance, baseUrl) =>
    (await import("#mail/letter/liquid-mjml.ts")).compileLiquidMjml(source, baseUrl),
};

/** The message of POST /send. */
const request: Job<RequestSource, WrittenTransactional> = {
  about: "letter",
  sizeOf: (input) => textsOf(input).reduce((sum, { length }) => sum + length, 0),
  isBrief: (input) =>
    input.mjml === null && areBriefValues(input.variables ?? "") && isShort(...textsOf(input)),
  perform: async (...given) => (await import("#mail/letter/single/request-letter.ts")).writeRequest(...given),
};

/** All messages of a campaign, or of an automation's mail. Null: each of them must be compiled on its own. */
const marketing: Job<MarketingTemplate, WrittenMarketing | null> = {
  about: "letter",
  sizeOf: ({ html, preheader = [], text }) => lengthOf([...html, ...preheader, ...(text ?? [])]),
  isBrief: ({ html, text }) =>
    html.length + (text?.length ?? 0) < 100 && isShort(joined(text ?? [])) && isBriefHtml(joined(html)),
  perform: async (template) =>
    accept((await import("#mail/letter/marketing/marketing-letter.ts")).writeMarketing(template)),
};

/** Liquid that takes too long to be done without a thread. */
const fill: Job<FillInput, FilledLetter> = {
  about: "letter",
  sizeOf: ({ letter }) => charactersIn(letter),
  isBrief: () => false,
  perform: ({ letter, scope, moment }) => liquidLetter(letter).fill(scope, FULL, moment),
};

/** The parts of a letter that do not compile, and what became of its MJML. */
const letterFaults: Job<LetterSource, JudgedLetter> = {
  about: "letter",
  sizeOf: charactersIn,
  isBrief: () => false,
  perform: async (letter, _allowance, baseUrl) =>
    accept(await (await import("#mail/letter/letter-faults.ts")).judgeLetter(letter, baseUrl)),
};

/** Warnings about a letter: what its author probably did not intend. */
const letterWarnings: Job<WrittenLetter, Problem[]> = {
  about: "letter",
  sizeOf: ({ body, text }) => body.length + (text ?? "").length,
  // Liquid is parsed where its names are known, and a hostile one takes its time.
  isBrief: ({ body, text, names }) =>
    names === undefined && isBriefHtml(body) && (text ?? "").length < BRIEF_TEXT_CHARACTERS,
  perform: async (letter) =>
    accept((await import("#mail/problems/letter-warnings.ts")).letterWarnings(letter)),
};

/** HTML as text. */
const plainText: Job<string, string> = {
  about: "letter",
  sizeOf: (html) => html.length,
  isBrief: isBriefHtml,
  perform: async (html) => accept((await import("#mail/html/text-alternative.ts")).htmlAsText(html)),
};

type ProblemsInput = { readonly flow: Flow; readonly known: Surroundings };

/** What is wrong with an automation's flow. Reads every template in it. */
const problems: Job<ProblemsInput, FlowProblem[]> = {
  about: "flow",
  sizeOf: ({ flow }) => charactersOf(flow),
  isBrief: ({ flow }) => charactersOf(flow) <= BRIEF_FLOW_CHARACTERS,
  perform: ({ flow, known }) => accept(problemsOf(flow, known)),
};

/** One contact's way through a flow. A flow with a loop may take thousands of steps. */
const simulation: Job<SimulationInput, Simulation> = {
  about: "flow",
  sizeOf: ({ ready }) => charactersOf(ready.flow),
  isBrief: () => false,
  perform: (input) => accept(simulate(input)),
};

/** An incoming mail. Small ones take some milliseconds, whatever is in them. */
const report: Job<Uint8Array, MailReading> = {
  about: "mail",
  sizeOf: (raw) => raw.length,
  isBrief: (raw) => raw.length <= BRIEF_MAIL_BYTES,
  perform: async (raw) => accept(await readMail(raw).catch(() => NOTHING_READ)),
};

/** What people read in an incoming mail; `""` if it cannot be read. */
const mailText: Job<Uint8Array, string> = {
  about: "mail",
  sizeOf: (raw) => raw.length,
  isBrief: (raw) => raw.length <= BRIEF_MAIL_BYTES,
  perform: async (raw) =>
    accept(
      await readParts(raw).then(
        ({ text }) => text,
        () => "",
      ),
    ),
};

/** One of our own messages, read back to be shown. */
const messageTexts: Job<Uint8Array, MessageTexts> = {
  about: "mail",
  sizeOf: (raw) => raw.length,
  isBrief: (raw) => raw.length <= BRIEF_MAIL_BYTES,
  perform: async (raw) => accept(await readMessage(raw)),
};

/** A captured message, to be shown at `/mailbox`. */
const capturedMail: Job<Uint8Array, CapturedParts | null> = {
  about: "mail",
  sizeOf: (raw) => raw.length,
  isBrief: (raw) => raw.length <= BRIEF_MAIL_BYTES,
  perform: async (raw) => accept(await readCaptured(raw)),
};

const BRIEF_MAIL_BYTES = 4 * 1024;

const JOBS = {
  mjml,
  liquidMjml,
  request,
  marketing,
  fill,
  letterFaults,
  letterWarnings,
  plainText,
  problems,
  simulation,
  report,
  mailText,
  messageTexts,
  capturedMail,
} as const;

export type JobName = keyof typeof JOBS;

/** The job of this name. Its types are gone: callers pass the input of that job. */
export const jobOf = (name: JobName): Job<unknown, unknown> => JOBS[name];

export type JobInput<Name extends JobName> = Parameters<(typeof JOBS)[Name]["perform"]>[0];
type ValueOf<Outcome> = Awaited<Outcome> extends Result<infer Value> ? Value : never;
export type JobOutput<Name extends JobName> = ValueOf<ReturnType<(typeof JOBS)[Name]["perform"]>>;

const textsOf = ({ html, mjml: source, text, variables, attachments }: RequestSource) => [
  ...[html, source, text, variables].filter((each) => each !== null),
  ...attachments.map(({ content }) => content),
];

const BRIEF_TEXT_CHARACTERS = 8 * 1024;

/** A flow up to this size takes a few milliseconds, whatever it says. */
const BRIEF_FLOW_CHARACTERS = 8 * 1024;

const charactersOf = (flow: Flow): number => JSON.stringify(flow).length;

const joined = (pieces: readonly LetterPiece[]): string => pieces.map(pieceAsText).join("");

function charactersIn({ subject, html, preheader, text }: AuthoredLetter): number {
  return subject.length + html.length + preheader.length + (text?.length ?? 0);
}
