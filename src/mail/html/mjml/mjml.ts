import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { errorText } from "#core/errors/thrown.ts";
import { compiledProblem } from "#mail/letter/letter-limits.ts";
import { placesIn } from "#mail/problems/problem.ts";
import { droppedIn } from "./dropped.ts";
import { elementLines } from "./element-lines.ts";
import { withoutIndents } from "./indents.ts";
import { keepLiquidBetween } from "./liquid-between.ts";
import { mjmlProblem, noFonts } from "./mjml-limits.ts";
import { withOwnSigns } from "./social-signs.ts";

/**
 * Compiles MJML to HTML. The library is loaded at first use: most runs do not need it, and it takes much memory.
 *
 * When mjml is imported, it reads `.mjmlconfig` in the working directory and runs the code named there. The
 * build replaces that part (scripts/build.ts), so the executable runs no code from its directory.
 * It reads no files, and what it would drop without a word is refused (dropped.ts).
 */

/** What is wrong with an MJML source, and where the element begins; null if the library names no place. */
export type MjmlFault = {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
};

type LibraryFault = { readonly line: number; readonly message: string; readonly tagName: string };

type Made =
  /** `lost`: places of Liquid that the compiler dropped. That is refused where the letter is Liquid (liquid-mjml.ts). */
  | { readonly ok: true; readonly html: string; readonly lost: readonly MjmlFault[] }
  | { readonly ok: false; readonly faults: readonly MjmlFault[] };

/**
 * The HTML of an MJML source, without the compiler's indents, and with our own icons of social networks. It can
 * take seconds, so call it only in a thread (`work/jobs.ts`). A refusal says what is wrong with the source, and
 * contains no path of this machine.
 * @param baseUrl where readers reach this service
 */
export async function compileMjml(source: string, baseUrl: string): Promise<Result<string>> {
  const made = await mjmlHtml(source);
  return made.ok ? accept(withOwnSigns(made.html, source, baseUrl)) : invalid(describeFaults(made.faults));
}

/** The same, with each fault separately. */
export async function mjmlHtml(source: string): Promise<Made> {
  const tooMuch = mjmlProblem(source);
  if (tooMuch !== null) return failed(tooMuch);
  const { default: compile } = await import("mjml");
  const kept = keepLiquidBetween(source, ERRORS_SHOWN);
  try {
    const { html, errors } = await compile(kept.source, { validationLevel: "soft", fonts: noFonts() });
    if (errors.length > 0) return { ok: false, faults: await placed(source, errors) };
    const dropped = droppedFaults(source);
    if (dropped.length > 0) return { ok: false, faults: dropped };
    const problem = compiledProblem(html);
    if (problem !== null) return failed(problem);
    return { ok: true, html: withoutIndents(html), lost: lostLiquidFaults(source, kept.lost) };
  } catch (error) {
    // The library's own error then says nothing to an author.
    const misplaced = IS_MJML.test(source) ? droppedFaults(source) : [];
    return misplaced.length > 0 ? { ok: false, faults: misplaced } : failed(errorText(error), START);
  }
}

const IS_MJML = /<mjml[\s/>]/i;

type Place = Pick<MjmlFault, "line" | "column">;

/** The place for a source that is no MJML at all. */
const START: Place = { line: 1, column: 1 };

const failed = (message: string, place: Place = { line: null, column: null }): Made => ({
  ok: false,
  faults: [{ message, ...place }],
});

function droppedFaults(source: string): MjmlFault[] {
  const placeOf = placesIn(source);
  return droppedIn(source, ERRORS_SHOWN)
    .toSorted((a, b) => a.index - b.index)
    .map(({ message, index }) => ({ message, ...placeOf(index) }));
}

function lostLiquidFaults(source: string, places: readonly number[]): MjmlFault[] {
  const placeOf = placesIn(source);
  return places.map((index) => ({
    message:
      "Liquid at this place would be lost. Move the tag into <mj-body>, or into the text of an element",
    ...placeOf(index),
  }));
}

/**
 * The library names only the line of an element, and a letter may be one line. So the source is compiled again with
 * one line per element, which gives the same faults in the same order.
 */
async function placed(source: string, faults: readonly LibraryFault[]): Promise<MjmlFault[]> {
  const lines = elementLines(source);
  const found = lines === null ? [] : await faultsOf(lines.text);
  const again = found.length === faults.length ? found : [];
  const starts = faults.map((_, index) => lines?.startOf(again[index]?.line ?? 0) ?? null);
  const places = placesOf(source, starts);
  return faults.map(({ line, tagName, message }, index) => {
    const start = starts[index] ?? null;
    const place = (start === null ? null : places.get(start)) ?? { line, column: null };
    return { message: `${tagName}: ${message}`, ...place };
  });
}

/** Reads the source only once, from the first place to the last. */
function placesOf(source: string, starts: readonly (number | null)[]): Map<number, Place> {
  const placeOf = placesIn(source);
  const ascending = starts.filter((start) => start !== null).toSorted((a, b) => a - b);
  return new Map(ascending.map((start) => [start, placeOf(start)]));
}

/** Only the faults: in this mode the library makes no HTML if there are any, and throws them. */
async function faultsOf(source: string): Promise<readonly LibraryFault[]> {
  const { default: compile } = await import("mjml");
  try {
    await compile(source, { validationLevel: "strict", fonts: noFonts() });
    return [];
  } catch (error) {
    return error instanceof Error && "errors" in error ? (error.errors as LibraryFault[]) : [];
  }
}

const ERRORS_SHOWN = 20;

/** All faults in one sentence. */
export const describeFaults = (faults: readonly MjmlFault[]): string =>
  faults
    .slice(0, ERRORS_SHOWN)
    .map(({ line, column, message }) => {
      const place = column === null ? "" : `, column ${column}`;
      return line === null ? message : `line ${line}${place}: ${message}`;
    })
    .join("; ") + (faults.length > ERRORS_SHOWN ? `; and ${faults.length - ERRORS_SHOWN} more` : "");
