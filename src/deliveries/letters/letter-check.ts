import { invalid, type Refusal } from "#core/errors/errors.ts";
import { faultSentence, type LetterFault } from "#mail/letter/letter-fault.ts";
import type { LetterOptions } from "#mail/letter/letter-options.ts";
import type { Work } from "#work/pool.ts";

/** A campaign's letter, as its author wrote it. */
type WrittenLetter = { readonly subject: string; readonly html: string; readonly options: LetterOptions };

/** A plain letter has nothing to compile. */
export const isCompiled = ({ format, personalize }: LetterOptions): boolean =>
  format !== "html" || personalize;

/** Everything in a letter that does not compile. @throws WorkLate */
export type LetterFaultsOf = (workspaceId: string, letter: WrittenLetter) => Promise<readonly LetterFault[]>;

/** Why a letter cannot be sent to anybody; null if it can. @throws WorkLate */
export type LetterCheck = (workspaceId: string, letter: WrittenLetter) => Promise<Refusal | null>;

export const letterFaultsOf =
  (work: Pick<Work, "run">): LetterFaultsOf =>
  async (workspaceId, { subject, html, options }) => {
    if (!isCompiled(options)) return [];
    const { format, personalize, preheader, text } = options;
    const found = await work.run(workspaceId, "letterFaults", {
      subject,
      html,
      preheader,
      text,
      format,
      personalize,
    });
    if (found.ok) return found.value.faults;
    return [{ part: "body", message: found.refusal.message, line: null, column: null }];
  };

const SHOWN_MAX = 10;

/** The refusal names every fault, with its place. */
export const letterCheck =
  (faultsIn: LetterFaultsOf): LetterCheck =>
  async (workspaceId, letter) => {
    const faults = await faultsIn(workspaceId, letter);
    if (faults.length === 0) return null;
    const more = faults.length - SHOWN_MAX;
    const named = faults.slice(0, SHOWN_MAX).map(faultSentence).join(" ");
    return invalid(more > 0 ? `${named} And ${more} more.` : named).refusal;
  };
