import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accept, refuse } from "#core/errors/errors.ts";
import type { FormContent } from "#forms/form-input.ts";
import { newList } from "../../../support/people/lists.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

const CONTENT: FormContent = {
  name: "Join",
  listId: "list_1",
  fields: ["email", "firstName"],
  style: { color: "#fff" },
  successMessage: "Thanks",
};

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`forms on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let forms: OpenedEngine["stores"]["forms"];
    let made = 0;
    const insert = (over: Partial<FormContent> = {}, workspaceId = "ws_one") =>
      forms.insert(workspaceId, { ...CONTENT, ...over, id: `form_${++made}`, createdAt: made });
    const change = (id: string, over: Partial<FormContent>, listIds: readonly string[] = [], at = 90) =>
      forms.change("ws_one", id, listIds, (current) => accept({ ...current, ...over }), at);

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ forms } = opened.stores);
      await opened.stores.lists.insert("ws_one", newList("list_1", { name: "One" }));
      await opened.stores.lists.insert("ws_one", newList("list_2", { name: "Two" }));
      await opened.stores.lists.insert("ws_two", newList("list_3", { name: "Three" }));
    });
    afterAll(() => opened.close());

    test("a form is found in its workspace, and by anybody for its pages; a foreign list makes none", async () => {
      const form = (await insert())!;
      expect(form).toEqual({ ...CONTENT, id: form.id, createdAt: made, updatedAt: made });
      expect(await forms.find("ws_one", form.id)).toEqual(form);
      expect(await forms.find("ws_two", form.id)).toBeNull();
      expect(await forms.findPublic(form.id)).toEqual({ form, workspaceId: "ws_one" });
      expect(await forms.findPublic("form_none")).toBeNull();
      expect(await insert({ listId: "list_3" })).toBeNull();
      expect(await insert({ listId: null })).toMatchObject({ listId: null });
    });

    test("a change is decided over what is stored and which lists there are; the same again changes no time", async () => {
      const { id } = (await insert())!;
      const known: string[][] = [];
      const changed = await forms.change(
        "ws_one",
        id,
        ["list_2", "list_3"],
        (current, lists) => {
          known.push([...lists]);
          return accept({ ...current, listId: "list_2", name: "Come" });
        },
        50,
      );
      expect(known).toEqual([["list_2"]]);
      expect(changed).toMatchObject({ ok: true, value: { listId: "list_2", name: "Come", updatedAt: 50 } });
      expect(await change(id, { name: "Come" })).toMatchObject({ value: { updatedAt: 50 } });
      expect(await change(id, { name: "Other" }, [])).toMatchObject({
        value: { listId: "list_2", updatedAt: 90 },
      });
      expect(await change(id, { listId: null })).toMatchObject({ value: { listId: null } });
      const refused = await forms.change("ws_one", id, [], () => refuse("VALIDATION_ERROR", "no"), 99);
      expect(refused).toMatchObject({ ok: false });
      expect(await forms.find("ws_one", id)).toMatchObject({ updatedAt: 90 });
      expect(await forms.change("ws_two", id, [], (current) => accept(current), 99)).toBeNull();
    });

    test("changes at the same time follow each other", async () => {
      const { id } = (await insert({ name: "" }))!;
      const longer = (current: FormContent) => accept({ ...current, name: `${current.name}x` });
      await Promise.all(Array.from({ length: 12 }, () => forms.change("ws_one", id, [], longer, 5)));
      expect(await forms.find("ws_one", id)).toMatchObject({ name: "x".repeat(12) });
    });

    test("pages come newest first, with the number of all", async () => {
      for (const name of ["a", "b", "c"]) await insert({ name, listId: null }, "ws_two");
      const first = await forms.page("ws_two", { limit: 2, before: null });
      expect([first.items.map(({ name }) => name), first.total]).toEqual([["c", "b"], 3]);
      const second = await forms.page("ws_two", { limit: 2, before: first.nextPosition });
      expect(second.items.map(({ name }) => name)).toEqual(["a"]);
    });

    test("its figures say who asked, confirmed, joined and left again", async () => {
      const { id } = (await insert())!;
      expect(await forms.figures("ws_one", id)).toEqual({ asked: 0, confirmed: 0, joined: 0, left: 0 });
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
         VALUES ('con_1', 1, 'a@example.com', '', '', 'SUBSCRIBED', '', 1)`,
      );
      for (const contact of ["con_1", "con_gone"])
        await opened.run(
          `INSERT INTO consent_log (workspace, contact_id, address, action, source, at, form_id)
           VALUES (1, '${contact}', 'a@example.com', 'GIVEN', 'form', 1, '${id}')`,
        );
      expect(await forms.figures("ws_one", id)).toEqual({ asked: 0, confirmed: 0, joined: 2, left: 1 });
      expect(await forms.figures("ws_two", id)).toBeNull();
    });

    test("held confirmations of this form alone are released, once", async () => {
      const { id } = (await insert())!;
      for (const source of [`${id}:a`, `${id}0:b`])
        await opened.run(
          `INSERT INTO mailings (workspace, kind, source_id, phase, held, created_at)
           VALUES (1, 'confirmation', '${source}', 'sending', 1, 1)`,
        );
      expect(await forms.release("ws_two", id)).toBe("not found");
      expect(await forms.release("ws_one", id)).toBe("released");
      expect(await forms.release("ws_one", id)).toBe("not held");
      expect((await opened.values("SELECT held FROM mailings ORDER BY seq")).map(Number)).toEqual([0, 1]);
    });

    test("a deleted form is gone, and so is its place on a deleted list", async () => {
      const { id } = (await insert())!;
      await opened.stores.lists.delete("ws_one", "list_1");
      expect(await forms.find("ws_one", id)).toMatchObject({ listId: null });
      expect(await forms.delete("ws_two", id)).toBe(false);
      expect(await forms.delete("ws_one", id)).toBe(true);
      expect(await forms.delete("ws_one", id)).toBe(false);
    });
  });
}
