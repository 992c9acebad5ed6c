import { invalid, type Refusal } from "#core/errors/errors.ts";
import { faultSentence, mjmlAsHtml, type LetterFault } from "#mail/letter/letter-fault.ts";
import type { LetterOptions } from "#mail/letter/letter-options.ts";
import { lasting, RefusedForNow, type Work } from "#work/pool.ts";

/** A campaign's letter, as its author wrote it. */
type WrittenLetter = { readonly subject: string; readonly html: string; readonly options: LetterOptions };

/** A plain letter has nothing to compile. */
export const isCompiled = ({ format, personalize }: LetterOptions): boolean =>
  format !== "html" || personalize;

/** Everything in a letter that does not compile. @throws WorkLate; RefusedForNow, which is no fault of the letter */
export type LetterFaultsOf = (workspaceId: string, letter: WrittenLetter) => Promise<readonly LetterFault[]>;

/** Why a letter cannot be sent to anybody, or not now (`isPassing`); null if it can. @throws WorkLate */
export type LetterCheck = (workspaceId: string, letter: WrittenLetter) => Promise<Refusal | null>;

export const letterFaultsOf =
  (work: Pick<Work, "run">): LetterFaultsOf =>
  async (workspaceId, { subject, html, options }) => {
    const { format, personalize, preheader, text } = options;
    const misread = mjmlAsHtml(format, html);
    if (misread.length > 0 || !isCompiled(options)) return misread;
    const source = { subject, html, preheader, text, format, personalize };
    const found = lasting(await work.run(workspaceId, "letterFaults", source));
    if (found.ok) return found.value.faults;
    return [{ part: "body", message: found.refusal.message, line: null, column: null }];
  };

const SHOWN_MAX = 10;

/** The refusal names every fault, with its place. */
export const letterCheck =
  (faultsIn: LetterFaultsOf): LetterCheck =>
  async (workspaceId, letter) => {
    const faults = await orPassing(() => faultsIn(workspaceId, letter));
    if ("isPassing" in faults) return faults;
    if (faults.length === 0) return null;
    const more = faults.length - SHOWN_MAX;
    const named = faults.slice(0, SHOWN_MAX).map(faultSentence).join(" ");
    return invalid(more > 0 ? `${named} And ${more} more.` : named).refusal;
  };

/** A refusal that may be gone soon is handed on as such: who promised the send tries again. */
async function orPassing<T>(ask: () => Promise<T>): Promise<T | (Refusal & { readonly isPassing: true })> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RefusedForNow)) throw error;
    return { ...invalid(error.message).refusal, isPassing: true };
  }
}
