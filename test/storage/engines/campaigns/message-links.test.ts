import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LedgerStore } from "#deliveries/store.ts";
import { makeMailing } from "../../../support/storage/engine-mailings.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

const linksOf = (...names: readonly string[]) => ({
  urls: names.map((name) => `https://shop.example.org/${name}`),
  personal: names.map(() => true),
});

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`the links of messages on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let ledger: LedgerStore;
    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ ledger } = opened.stores);
    });
    afterAll(() => opened.close());

    /** Where the first links of a message lead. */
    const targets = (message: number) =>
      Promise.all([0, 1, 2, 3].map(async (n) => await ledger.link(message, n)));
    const saveAtOnce = (mailing: number, message: number, times: readonly ReturnType<typeof linksOf>[]) =>
      Promise.all(times.map(async (links) => await ledger.saveMessageLinks(mailing, message, links)));
    /** A message that goes back is composed again at once, while the links of the first time are still written. */
    const composedAtOnce = async (prefix: string, ...times: readonly ReturnType<typeof linksOf>[]) => {
      const { mailing, messages } = await makeMailing({ engine, opened }, { prefix, people: 2 });
      const [other = 0, message = 0] = messages;
      await ledger.saveMessageLinks(mailing, other, linksOf("a", "b"));
      await saveAtOnce(mailing, message, times);
      return { mailing, other, message };
    };

    test("composed twice at once, a message leads where it leads", async () => {
      const { other, message } = await composedAtOnce("same", linksOf("x", "y", "z"), linksOf("x", "y", "z"));
      expect(await targets(message)).toEqual([...linksOf("x", "y", "z").urls, null]);
      expect(await targets(other)).toEqual([...linksOf("a", "b").urls, null, null]);
    });

    test("composed again with more, fewer or no links, it leads only where the last time says", async () => {
      const { mailing, message } = await composedAtOnce("more", linksOf("x", "y"));
      for (const names of [["p", "q", "r"], ["s"], [], ["a", "t"], ["u", "v"]]) {
        await ledger.saveMessageLinks(mailing, message, linksOf(...names));
        const { urls } = linksOf(...names);
        expect(await targets(message)).toEqual([0, 1, 2, 3].map((n) => urls[n] ?? null));
      }
    });

    test("whose contact is deleted while it is composed twice, it keeps no address", async () => {
      const { mailing, messages } = await makeMailing({ engine, opened }, { prefix: "gone", people: 1 });
      const [message = 0] = messages;
      await opened.run(`DELETE FROM contacts WHERE email = 'gone0@example.com'`);
      await saveAtOnce(mailing, message, [linksOf("x", "y"), linksOf("x", "y")]);
      expect(await targets(message)).toEqual([null, null, null, null]);
    });
  });
}
