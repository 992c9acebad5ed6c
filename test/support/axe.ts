/** What axe finds wrong with a page, by the rules that all our pages are held to. */
import axe from "axe-core";
import type { Page } from "playwright-core";

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * What axe finds wrong with the page as it is shown now: the rule, and where. A page's policy does not stop it: it
 * comes in through the browser. It waits for ever where the visitor's browser runs no scripts at all.
 */
export async function axeProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ["violations"] })`,
  );
  const { violations } = results as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}
