import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { planPost } from "#contacts/contact-plan.ts";
import { planChoice, type Choice } from "#preferences/choice.ts";
import { newList } from "../../../support/people/lists.ts";
import { claimDot, type MadeMailing, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const ORIGIN = { source: "preferences", formId: null, clientAddress: null, userAgent: null } as const;
const AT = 7;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`preferences on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    let run: number;

    const choose = (address: string, choice: Partial<Choice>) =>
      stores.preferences.choose(
        "ws_one",
        address,
        (found) => {
          const posted = { shown: null, ticked: new Set<string>(), leavesEverything: false };
          const names = { firstName: undefined, lastName: undefined };
          return planChoice(found, { lists: new Set(), ...posted, ...names, ...choice }, ORIGIN, AT);
        },
        AT,
      );
    const post = (email: string, listId: string) => {
      const input = { email, firstName: undefined, lastName: undefined, tags: [], attributes: undefined };
      const asked = { ...input, status: undefined, consent: undefined };
      const person = { email, fresh: { id: `con_${email}`, createdAt: 1 }, setsAttributes: false };
      return stores.contacts.upsertAll("ws_one", [[person]], { listId, at: AT }, (_, found) =>
        planPost(found, asked, { ...ORIGIN, source: "api" }, AT),
      );
    };
    const on = async (address: string): Promise<string[]> =>
      (await stores.preferences.find("ws_one", address)).lists.flatMap(({ id, isOn }) => (isOn ? [id] : []));
    const stateOf = async (message: number | undefined): Promise<unknown> =>
      (
        await opened.values(
          `SELECT state || coalesce(' ' || reason, '') FROM deliveries WHERE seq = ${message}`,
        )
      )[0];

    /** A campaign to a list, whose people are on `list_1` besides. */
    const mailingTo = async (
      list: string,
      prefix: string,
      people: number,
      phase: "sending" | "planning" | "stopped" = "sending",
    ): Promise<MadeMailing> => {
      const made = await makeMailing({ engine, opened }, { people, prefix, phase });
      await opened.run(
        `UPDATE mailings SET list = (SELECT seq FROM lists WHERE id = '${list}') WHERE seq = ${made.mailing}`,
      );
      for (const n of made.messages.keys()) await post(`${prefix}${n}@example.com`, "list_1");
      return made;
    };

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ stores } = opened);
      for (const id of ["list_1", "list_2", "list_3"]) await stores.lists.insert("ws_one", newList(id));
      for (const id of ["list_1", "list_2"]) {
        const publicName = id === "list_1" ? "News" : "";
        await stores.lists.changeOptions("ws_one", id, () => {
          return { ok: true, value: { public: true, publicName, description: "d" } };
        });
      }
      run = (await stores.ledger.join(1, false)).run;
    });
    afterAll(() => opened.close());

    test("a reader finds the public lists, chooses among them, and corrects the name", async () => {
      await post("reader@example.com", "list_1");
      expect(await stores.preferences.find("ws_one", "reader@example.com")).toMatchObject({
        contact: { id: "con_reader@example.com" },
        suppression: null,
        lists: [
          { id: "list_1", name: "News", description: "d", isOn: true },
          { id: "list_2", name: "list_2", description: "d", isOn: false },
        ],
      });
      const after = await choose("reader@example.com", { lists: new Set(["list_2"]), firstName: "Ann" });
      expect(after.contact).toMatchObject({ firstName: "Ann" });
      expect(after.lists.map(({ isOn }) => isOn)).toEqual([false, true]);
      const log = await stores.contacts.consentLog(
        "ws_one",
        { email: "reader@example.com", contactId: null },
        { limit: 10, before: null },
      );
      expect(log.items.map(({ action, listId }) => `${action} ${listId}`)).toEqual([
        "WITHDRAWN list_1",
        "GIVEN list_2",
      ]);
      expect((await opened.values("SELECT count(*) FROM list_departures")).map(Number)).toEqual([1]);
    });

    test("who has no contact, or is out, finds the lists and changes nothing", async () => {
      expect(await choose("nobody@example.com", { lists: new Set(["list_1"]) })).toMatchObject({
        contact: null,
        lists: [{ isOn: false }, { isOn: false }],
      });
      await post("out@example.com", "list_1");
      const blocked = { email: "out@example.com", reason: "MANUAL", source: "api", createdAt: 1 } as const;
      await stores.suppressions.add("ws_one", blocked, (_, asked) => asked);
      expect(await choose("out@example.com", {})).toMatchObject({
        suppression: "MANUAL",
        lists: [{ isOn: true }, {}],
      });
    });

    test("who leaves a list gets nothing more that is queued for it, but what is queued for another", async () => {
      for (const [prefix, list] of [
        ["mine", "list_1"],
        ["other", "list_2"],
      ] as const) {
        const { mailing, messages } = await mailingTo(list, prefix, 1);
        const address = `${prefix}0@example.com`;
        await choose(address, {});
        expect(await stateOf(messages[0])).toBe(list === "list_1" ? "skipped OPTED_OUT" : "queued");
        const [phase] = await opened.values(`SELECT phase FROM mailings WHERE seq = ${mailing}`);
        expect(phase).toBe(list === "list_1" ? "finished" : "sending");
      }
    });

    test("whoever leaves while a campaign is still being planned gets nothing of it, and it does not end by that", async () => {
      const { mailing, messages } = await mailingTo("list_1", "early", 2, "planning");
      for (const n of messages.keys()) await choose(`early${n}@example.com`, {});
      for (const message of messages) expect(await stateOf(message)).toBe("skipped OPTED_OUT");
      expect(await opened.values(`SELECT phase FROM mailings WHERE seq = ${mailing}`)).toEqual(["planning"]);
      expect(await opened.values(`SELECT status FROM campaigns WHERE mailing = ${mailing}`)).toEqual([
        "DRAFT",
      ]);
    });

    test("of a campaign that was stopped nothing is changed: what it owed is skipped as such", async () => {
      const { messages } = await mailingTo("list_1", "late", 1, "stopped");
      await choose("late0@example.com", {});
      expect(await stateOf(messages[0])).toBe("queued");
    });

    test("leaving while the campaign sends: the dot is given, or the message is skipped", async () => {
      const { messages } = await mailingTo("list_1", "dot", 8);
      const claims = await Promise.all(
        messages.flatMap((message, n) => {
          const claiming = claimDot(stores.ledger, message, run, AT, { urgency: "awaited" });
          const leaving = choose(`dot${n}@example.com`, {}).then(() => "left" as const);
          return n % 2 === 0 ? [claiming, leaving] : [leaving, claiming];
        }),
      );
      const given = claims.filter((claim) => claim !== "left");
      const states = await Promise.all(messages.map(stateOf));
      expect(states).toEqual(given.map((claim) => (claim === "dot" ? "dot" : "skipped OPTED_OUT")));
      for (const n of messages.keys()) expect(await on(`dot${n}@example.com`)).toEqual([]);
    });

    test("leaving and choosing while somebody else puts the reader on lists: nothing is lost or twice", async () => {
      for (let round = 0; round < 4; round++) {
        const address = `both${round}@example.com`;
        await post(address, "list_1");
        await Promise.all([
          choose(address, { lists: new Set(["list_2"]), shown: new Set(["list_1", "list_2"]) }),
          choose(address, { lists: new Set(["list_2"]), shown: new Set(["list_2"]) }),
          post(address, "list_3"),
        ]);
        expect(await on(address)).toEqual(["list_2"]);
        const contact = await stores.preferences.find("ws_one", address);
        const lists = await stores.contacts.lists("ws_one", contact.contact!.id);
        expect(lists!.map(({ id }) => id)).toEqual(["list_3", "list_2"]);
      }
    });
  });
}
