/** Statements look into JSON that is kept as text, whatever people wrote in it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { NO_COUNTS } from "#imports/import.ts";
import { claimDot, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

/** It stands still: no lease ends, however slow the machine is. */
const STILL: Clock = { ...systemClock, monotonicMs: () => 0 };
const NOW = 1_000_000;
const FIRST_PAGE = { limit: 50, before: null };

/** PostgreSQL's JSON holds neither NUL nor half a surrogate pair. The rest only looks as if it had one. */
const TEXTS: readonly (readonly [string, string])[] = [
  ["NUL", "a\0b"],
  ["NUL alone", "\0\0"],
  ["the first half of a pair", "<p>cut \ud83d</p>"],
  ["the second half of a pair", "\ude00 cut"],
  ["halves in the wrong order", "\udfff\ud800"],
  ["NUL behind backslashes", "\\\0 \\\\\0 \\\\\\\0u0000"],
  ["what only looks like NUL", "\\u0000 \\\\u0000 C:\\users\\ud83d"],
  ["whole pairs, and other control characters", "😀 \u0001\u001b\u007f\u2028 \uFFFD \ue000"],
];

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`JSON that is kept as text, on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let run = 0;
    let made = 0;

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine, STILL);
      ({ run } = await opened.stores.ledger.join(NOW, false));
    });
    afterAll(() => opened.close());

    test.each(TEXTS)("a letter with %s is sent, and webhooks are told by whom", async (_, text) => {
      const { ledger, webhooks } = opened.stores;
      const id = `wh_${++made}`;
      const webhook = { url: `https://one.example/${made}`, events: ["email.sent"], secret: "s" };
      await webhooks.insert("ws_one", { ...webhook, id, enabled: true, createdAt: NOW }, 100);
      const { mailing, messages } = await makeMailing({ engine, opened }, { prefix: `p${made}x`, people: 1 });
      const from = { name: text, address: "ada@sender.example" };
      const letter = JSON.stringify({ subject: text, html: text, from, [text]: text });
      await opened.run(`UPDATE mailing_contents SET content = '${letter}' WHERE mailing = ${mailing}`);

      const number = messages[0]!;
      expect(await claimDot(ledger, number, run, NOW)).toBe("dot");
      await ledger.settle(
        number,
        { state: "sent", reply: { code: 250, enhanced: null, text: "ok" } },
        NOW,
        null,
        "bulk",
      );
      expect(await opened.values(`SELECT state FROM deliveries WHERE seq = ${number}`)).toEqual(["sent"]);
      expect((await webhooks.deliveries("ws_one", id, null, FIRST_PAGE))!.total).toBe(1);
      const told = `SELECT d.data FROM webhook_deliveries AS d JOIN webhooks AS w ON w.seq = d.webhook WHERE w.id = '${id}'`;
      expect(JSON.parse(String((await opened.values(told))[0]))).toMatchObject({
        messageId: expect.stringMatching(/^[^@]+@sender\.example$/),
      });
    });

    test.each(TEXTS)(
      "an import whose file has a header with %s is shown, listed and read on",
      async (_, text) => {
        const { imports } = opened.stores;
        const id = `imp_${++made}`;
        const format = { encoding: "utf-8", delimiter: "," } as const;
        const job = { options: NO_OPTIONS, format, header: ["email", text], headerLines: 1, lines: 7 };
        const one = { ...NO_COUNTS, id, fileName: "a.csv", state: "RUNNING", createdAt: made } as const;
        const shown = { ...one, finishedAt: null, error: null, linesDone: 1, lines: 7, format };
        await imports.insert("ws_one", shown, job);
        expect(await imports.find("ws_one", id)).toEqual(shown);
        expect((await imports.page("ws_one", FIRST_PAGE)).items[0]).toEqual(shown);
        expect((await imports.running()).map(({ header }) => header)).toEqual([job.header]);
        expect(await imports.end("ws_one", id, { state: "CANCELLED", error: null, at: 9 })).toBe(true);
      },
    );
  });
}
