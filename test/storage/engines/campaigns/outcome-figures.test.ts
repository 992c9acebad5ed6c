import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OutcomeFiguresStore } from "#campaigns/report/outcome-figures.ts";
import { makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const QUARTER_MS = 15 * 60_000;
const none = { sent: 0, opened: 0, clicked: 0, bounced: 0, unsubscribed: 0 };

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`a campaign's outcome on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let figures: OutcomeFiguresStore;
    let mailing: number;

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      figures = opened.stores.outcomeFigures;
      ({ mailing } = await makeMailing({ engine, opened }, { prefix: "out", people: 1 }));
    });
    afterAll(() => opened.close());

    test("links come by their clicks, else as they stand in the letter, with those that nobody clicked", async () => {
      const urls = ["https://a.example/", "https://b.example/", "https://c.example/", "https://a.example/"];
      const links = urls.map((url, number) => `(${mailing}, ${number}, '${url}')`);
      await opened.run(`INSERT INTO mailing_links (mailing, number, url) VALUES ${links.join(", ")}`);
      await opened.run(
        `INSERT INTO link_clicks (mailing, url, clicks, recipients) VALUES (${mailing}, '-9', 99, 1),
         (${mailing}, 'https://own.example/', 1, 1), (${mailing}, 'https://c.example/', 7, 3)`,
      );
      const c = { url: "https://c.example/", clicks: 7, recipients: 3 };
      const own = { url: "https://own.example/", clicks: 1, recipients: 1 };
      const [a, b] = urls.slice(0, 2).map((url) => ({ url, clicks: 0, recipients: 0 }));
      expect(await figures.links(mailing, false, 10)).toEqual([c, own, a!, b!]);
      expect(await figures.links(mailing, false, 3)).toEqual([c, own, a!]);
      expect(await figures.links(mailing, true, 10)).toEqual([c, own]);
      expect(await figures.links(mailing, true, 1)).toEqual([c]);
      expect(await figures.links(mailing + 1, false, 10)).toEqual([]);
    });

    test("figures are summed between each two instants", async () => {
      expect(await figures.span(mailing)).toBeNull();
      await opened.run(
        `INSERT INTO mailing_activity (mailing, at, sent, opened, clicked, bounced, unsubscribed)
         VALUES (${mailing}, 0, 5, 0, 0, 1, 0), (${mailing}, ${QUARTER_MS}, 2, 3, 1, 0, 1), (${mailing}, ${4 * QUARTER_MS}, 1, 0, 0, 0, 0)`,
      );
      expect(await figures.span(mailing)).toEqual({ from: 0, to: 4 * QUARTER_MS });
      const bounds = [0, 2, 3, 4, 5].map((n) => n * QUARTER_MS);
      expect(await figures.between(mailing, bounds)).toEqual([
        { sent: 7, opened: 3, clicked: 1, bounced: 1, unsubscribed: 1 },
        none,
        none,
        { ...none, sent: 1 },
      ]);
      expect(await figures.between(mailing, [0])).toEqual([]);
    });
  });
}
