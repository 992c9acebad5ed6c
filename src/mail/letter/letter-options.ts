/** Parameters for links that do not have them already; an empty one is not added. */
export type Utm = { readonly source: string; readonly medium: string; readonly campaign: string };

/** How a letter is made from what its author wrote. */
export type LetterOptions = {
  readonly format: "html" | "mjml";
  /** Whether subject, preheader, body and text are Liquid. */
  readonly personalize: boolean;
  /** What mail clients show beside the subject; `""`: nothing. */
  readonly preheader: string;
  /** The text part; null: it is made from the HTML. */
  readonly text: string | null;
  readonly utm: Utm | null;
};

/** HTML that is sent as written. */
export const PLAIN_LETTER: LetterOptions = {
  format: "html",
  personalize: false,
  preheader: "",
  text: null,
  utm: null,
};

/** The job that makes HTML of a letter's MJML (`src/work/jobs.ts`). */
export const mjmlJob = ({ personalize }: Pick<LetterOptions, "personalize">): "liquidMjml" | "mjml" =>
  personalize ? "liquidMjml" : "mjml";
