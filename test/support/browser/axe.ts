/** What axe finds wrong with a page, by the rules for all our pages. */
import axe from "axe-core";
import type { Page } from "playwright-core";

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * `preload`: reading all style sheets again takes half of its time, and none of these rules needs them. Frames hold
 * letters: what readers see, in an origin into which nothing can be injected.
 */
const OPTIONS: axe.RunOptions = {
  resultTypes: ["violations"],
  preload: { assets: ["media"] },
  iframes: false,
};

/** While colours change from light to dark, they cannot be judged. */
const SETTLED = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished)))`;

/**
 * What axe finds wrong with the page as it is shown now: the rule, and where. A page's policy does not stop it,
 * because it is injected by the browser. It never resolves if the visitor's browser runs no scripts.
 * @param within checks only this part
 */
export const axeProblems = (page: Page, within?: string): Promise<string[]> =>
  problemsBy(page, { runOnly: RULES }, within);

/** What axe finds too pale to read: the only rules that depend on the colour scheme. */
export const contrastProblems = (page: Page, within?: string): Promise<string[]> =>
  problemsBy(page, { runOnly: ["color-contrast"] }, within);

async function problemsBy(page: Page, rules: axe.RunOptions, within?: string): Promise<string[]> {
  await page.evaluate(SETTLED);
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options: axe.RunOptions = { ...OPTIONS, ...rules };
  const context = within === undefined ? "document" : JSON.stringify(within);
  const results = await page.evaluate(`axe.run(${context}, ${JSON.stringify(options)})`);
  const { violations } = results as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}
