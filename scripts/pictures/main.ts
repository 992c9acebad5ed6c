/**
 * The pictures of the README: `bun run pictures`. It starts a service with the 30 days of a small newsletter, and
 * takes pictures of its console with Chromium. Everything is made up, and nothing is sent.
 * `bun run pictures DIRECTORY` writes them elsewhere.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { openBrowser } from "../../test/support/browser/browser.ts";
import { buildConsole } from "../console/build.ts";
import { camera } from "./camera.ts";
import { newsletter } from "./newsletter.ts";

const directory = process.argv[2] ?? "docs/pictures";

const NARROW = 390;

await buildConsole();
const { api, made } = await newsletter();
const browser = await openBrowser();
const { open, beside, end } = camera(browser, api);
mkdirSync(directory, { recursive: true });

for (const colorScheme of ["light", "dark"] as const) {
  const keep = (name: string, picture: Uint8Array): void =>
    writeFileSync(`${directory}/${name}${colorScheme === "dark" ? "-dark" : ""}.webp`, picture);
  const wide = await open({ colorScheme, width: 1280, height: 860 });
  keep("overview", await wide("/", ".overview-plot svg"));
  keep("writing", await wide(`/campaigns/${made.draft}`, ".letter-frame iframe"));
  keep("report", await wide(`/campaigns/${made.sent}/report`, ".report-people"));
  keep("automation", await wide(`/automations/${made.automation}?step=asked`, ".automation-panel"));
  const narrow = await open({ colorScheme, width: NARROW, height: 844 });
  keep(
    "phone",
    await beside([
      await narrow("/", ".overview-plot svg"),
      await narrow("/campaigns", ".data-table a"),
      await narrow(`/campaigns/${made.sent}/report`, ".report-people"),
    ]),
  );
}

await end();
await browser.close();
await api.stop();
process.exit(0);
