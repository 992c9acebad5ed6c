/** What axe finds wrong with a page, by the rules that all our pages are held to. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** `preload`: to read all style sheets again takes half of its time, and none of these rules asks for them. */
const OPTIONS: axe.RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
  preload: { assets: ["media"] },
};

/**
 * What axe finds wrong with the page as it is shown now: the rule, and where. A page's policy does not stop it: it
 * comes in through the browser. It waits for ever where the visitor's browser runs no scripts at all.
 */
export async function axeProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const results = await page.evaluate(`axe.run(document, ${JSON.stringify(OPTIONS)})`);
  const { violations } = results as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}
