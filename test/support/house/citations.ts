/**
 * Looks up what comments and pages refer to. In code, a citation is `docs/PAGE.md "HEADING"`, or several
 * headings separated by commas. A comment may break its line anywhere in it. Entries of the failure catalogue
 * may be cited by their id alone.
 */

export type Text = { readonly path: string; readonly text: string };

const CITATION = /docs\/([\w-]+\.md)((?:,? "[^"\n]+")*)/g;
const CATALOGUE = "docs/failure-catalogue.md";
/** `(A-01)` in a test's name, or with others beside it. */
const FAILURE_ID = /\b[A-Z]-\d\d\b/g;

/** Every citation of the files that leads nowhere, as `path: what`. */
export function brokenCitations(files: readonly Text[], pages: readonly Text[]): string[] {
  const headings = new Map(pages.map(({ path, text }) => [path, headingsOf(text)]));
  const faultOf = (page: string, cited: readonly string[]): string[] => {
    const known = headings.get(`docs/${page}`);
    if (known === undefined) return [`there is no docs/${page}`];
    return cited
      .filter((heading) => !known.has(heading))
      .map((heading) => `docs/${page} has no heading "${heading}"`);
  };
  const ids = headings.get(CATALOGUE) ?? new Set();
  return files.flatMap(({ path, text }) => [
    ...citationsIn(text).flatMap(({ page, cited }) =>
      faultOf(page, cited).map((fault) => `${path}: ${fault}`),
    ),
    ...[...text.matchAll(FAILURE_ID)]
      .filter(([id]) => !ids.has(id))
      .map(([id]) => `${path}: ${CATALOGUE} has no entry ${id}`),
  ]);
}

/** How many citations there are. */
export const countCitations = (files: readonly Text[]): number =>
  files.reduce((sum, { text }) => sum + citationsIn(text).length, 0);

function citationsIn(text: string): { page: string; cited: string[] }[] {
  return [...unfolded(text).matchAll(CITATION)].map(([, page, quoted]) => ({
    page: page!,
    cited: [...quoted!.matchAll(/"([^"]+)"/g)].map(([, heading]) => heading!),
  }));
}

/** Comments with their lines joined. */
const unfolded = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/)[^\S\n]+/g, " ");

/** The headings of a page; one that begins with an id is known by the id too. */
export function headingsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.trim());
  return new Set(headings.flatMap((heading) => [heading, /^[A-Z]-\d\d(?= )/.exec(heading)?.[0] ?? heading]));
}

/** Broken links of Markdown pages to files and headings in the project. */
export function brokenLinks(pages: readonly Text[], exists: (path: string) => boolean): string[] {
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]));
  return pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
      if (/^[a-z]+:/.test(target!)) return [];
      const [file, anchor] = target!.split("#");
      const reached = file === "" ? path : beside(path, file!);
      const isThere = exists(reached) && (!anchor || anchors.get(reached)?.has(anchor) === true);
      return isThere ? [] : [`${path}: ${target}`];
    }),
  );
}

/** Files of ours that a page names in backticks, as a path or as an import, but that do not exist. */
export function missingFiles(pages: readonly Text[], exists: (path: string) => boolean): string[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|scripts|docs|migrations)\/[\w./-]+|#[\w-]+\/[\w./-]+)`/g)]
      .filter(([, named]) => !exists(named!.replace("#", "src/")))
      .map(([, named]) => `${path}: ${named}`),
  );
}

/**
 * Files of code that a comment names and that are not in the tree, under this path or below another folder:
 * such a comment speaks of a file that was renamed or removed.
 */
export function unknownFiles(files: readonly Text[], paths: readonly string[]): string[] {
  const isKnown = (named: string): boolean => paths.some((path) => `/${path}`.endsWith(`/${named}`));
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(COMMENT)].flatMap(([comment]) =>
      [...comment.matchAll(FILE_OF_CODE)]
        .map(([named]) => named)
        .filter((named) => !isKnown(named))
        .map((named) => `${path}: ${named}`),
    ),
  );
}

/** Tests that a test names, in a comment or as the reason why it leaves something to them, and that are not there. */
export function unknownTests(files: readonly Text[], paths: readonly string[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(TEST_FILE)]
      .map(([named]) => named)
      .filter((named) => !paths.some((known) => `/${known}`.endsWith(`/${named}`)))
      .map((named) => `${path}: ${named}`),
  );
}

const TEST_FILE = /(?<![\w/.*-])[\w-]+(?:[/.][\w-]+)*\.test\.ts\b/g;

const COMMENT = /\/\*\*?[\s\S]*?\*\/|\/\/ .*/g;
const FILE_OF_CODE = /(?<![\w/.*-])[\w-]+(?:[/.][\w-]+)*\.(?:tsx?|sql)\b(?!\.\w)/g;

/** A measured figure, or one that sounds measured: "takes twice as long", "costs about 4 ms". Not limits and settings. */
const MEASURED =
  /\b(?:twice|half|a third|a tenth) as (?:fast|slow|much|long)\b|\b(?:half|a third|a tenth|\d+ ?%) of (?:the |its )?(?:time|start|cost|memory)\b|\b(?:takes?|costs?|saves?|needs?) (?:about |some |at most )?\d[\d,.]* ?(?:ms|µs|milliseconds|microseconds|[KMG]B|%)/g;

/** Comments that state a measurement, as `path: what`. Those stand in docs/performance.md. */
export const measuredClaims = (files: readonly Text[]): string[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(COMMENT)].flatMap(([comment]) =>
      [...unfolded(comment).matchAll(MEASURED)].map(([claim]) => `${path}: ${claim}`),
    ),
  );

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, "");

const anchorsOf = (text: string): Set<string> => new Set([...headingsOf(text)].map(anchorOf));

/** The anchor that code hosts make of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function beside(path: string, target: string): string {
  return new URL(target, `file:///${path}`).pathname.slice(1);
}
