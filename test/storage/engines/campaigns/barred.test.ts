import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const AT = 7;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`the last look before a dot, on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let run: number;
    let made = 0;
    let mailing: number;
    /** One that is looked at before its dot is claimed, and one whose dot is claimed at once. */
    let [looked, claimed] = [0, 0];
    let prefix: string;

    const look = () => opened.stores.ledger.skipIfBarred(looked, AT);
    const claim = (message: number) =>
      opened.stores.ledger.claimDot(message, run, AT, "awaited", { isCounted: false, isLast: true });
    const stateOf = async (message: number): Promise<unknown> =>
      (
        await opened.values(
          `SELECT state || coalesce(' ' || reason, '') FROM deliveries WHERE seq = ${message}`,
        )
      )[0];
    const ofMailing = (set: string): Promise<void> =>
      opened.run(`UPDATE mailings SET ${set} WHERE seq = ${mailing}`);
    const suppress = (reason: string, workspace = 1): Promise<void> =>
      opened.run(
        `INSERT INTO suppressions (workspace, address, reason, source, created_at)
         SELECT ${workspace}, address, '${reason}', 'api', 1 FROM deliveries WHERE mailing = ${mailing}`,
      );
    /** The answers, and what became of both rows. */
    const answers = async (): Promise<unknown[]> => [
      await look(),
      await claim(looked),
      await stateOf(looked),
      await claim(claimed),
      await stateOf(claimed),
    ];
    const SENT = ["owed", "dot", "dot", "dot", "dot"];
    const skippedAs = (reason: string) => {
      const state = `skipped ${reason}`;
      return [reason, "gone", state, reason, state];
    };

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      run = (await opened.stores.ledger.join(1, false)).run;
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      prefix = `look${++made}x`;
      ({
        mailing,
        messages: [looked = 0, claimed = 0],
      } = await makeMailing({ engine, opened }, { people: 2, prefix }));
    });

    test("finds nothing: the dot is given, once", async () => {
      expect(await answers()).toEqual(SENT);
      expect([await look(), await claim(claimed)]).toEqual(["gone", "gone"]);
    });

    test("finds a suppression of the workspace", async () => {
      await suppress("UNSUBSCRIBED");
      expect(await answers()).toEqual(skippedAs("SUPPRESSED"));
    });

    test("heeds nothing of another workspace", async () => {
      await suppress("COMPLAINT", 2);
      await opened.run(
        "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (2, 'example.com', 1)",
      );
      expect(await answers()).toEqual(SENT);
    });

    test("finds that the person has another address now, and that the contact is gone", async () => {
      await opened.run(`UPDATE contacts SET email = 'moved-' || email WHERE email LIKE '${prefix}%'`);
      expect(await answers()).toEqual(skippedAs("CONTACT_GONE"));
    });

    test("finds that who opted out gets no test of marketing mail", async () => {
      await suppress("UNSUBSCRIBED");
      await ofMailing("kind = 'confirmation', is_test = true");
      expect(await answers()).toEqual(skippedAs("SUPPRESSED"));
    });

    test("finds that who opted out gets the confirmation that they asked for", async () => {
      await suppress("UNSUBSCRIBED");
      await ofMailing("kind = 'confirmation'");
      expect(await answers()).toEqual(SENT);
    });

    test.each([
      ["NULL", SENT],
      ["5", skippedAs("OPTED_OUT")],
    ])("finds whether the link of a confirmation is void (%s)", async (voidedAt, expected) => {
      await ofMailing("kind = 'confirmation'");
      await opened.run(
        `INSERT INTO confirmations (delivery, workspace, form_id, address, created_at, returns, voided_at)
         SELECT seq, 1, 'form_1', address, 1, false, ${voidedAt} FROM deliveries WHERE mailing = ${mailing}`,
      );
      expect(await answers()).toEqual(expected);
    });

    test("finds that a mailing is held, or was stopped, and changes no row", async () => {
      await ofMailing("held = 1");
      expect(await answers()).toEqual(["held", "held", "queued", "held", "queued"]);
      await ofMailing("held = 0, phase = 'stopped'");
      expect(await answers()).toEqual(["gone", "gone", "queued", "gone", "queued"]);
    });
  });
}
