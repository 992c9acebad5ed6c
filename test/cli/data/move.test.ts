/** The command `move`: what it refuses, and the way there, back, and back again. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { databaseToMove } from "../../support/storage/move.ts";
import { emptyDatabase, lacksPostgres } from "../../support/storage/postgres.ts";
import { needsSqlite } from "../../support/server/services.ts";
import {
  freePort,
  postrider,
  postriderProcess,
  startPostrider,
  temporaryDirectory,
} from "../../support/server/postrider.ts";

const isMissing = await lacksPostgres();

describe.skipIf(needsSqlite("it names both databases itself"))("postrider move", () => {
  const home = temporaryDirectory();
  afterAll(() => home.remove());
  const DATABASE_URL = "postgres://postrider:secret@127.0.0.1:1/none";

  test.each([
    ["without a place", ["move"], {}, 2, "say where to"],
    ["to a directory, without what to move", ["move", "--to", "other"], {}, 2, "DATABASE_URL"],
    ["to a PostgreSQL without a name", ["move", "--to", "postgres://u@h/"], {}, 1, "no database"],
    ["where nothing is", ["move", "--to", DATABASE_URL], {}, 1, "no database"],
    ["from PostgreSQL to PostgreSQL", ["move", "--to", DATABASE_URL], { DATABASE_URL }, 2, "already"],
  ] as const)("%s is refused in one line, without a password", async (_, args, variables, code, said) => {
    const ended = await postrider(home.path, args, variables);
    expect({ code: ended.code, lines: ended.err.trim().split("\n").length }).toEqual({ code, lines: 1 });
    expect(ended.err).toContain(said);
    expect(ended.err).not.toContain("secret");
  });

  test.skipIf(isMissing)("moves there and back, and says what is held", async () => {
    databaseToMove(`${home.path}/postrider.db`);
    const database = await emptyDatabase();
    try {
      const moved = await postrider(home.path, ["move", "--to", database.url]);
      expect([moved.code, moved.err]).toEqual([0, ""]);
      expect(moved.out).toContain("4 things are held");
      expect(moved.out).not.toContain(database.url);
      const refused = await postriderProcess(home.path, ["serve", "--port", String(freePort())]);
      expect({ code: refused.code, lines: refused.err.trim().split("\n").length }).toEqual({
        code: 1,
        lines: 1,
      });
      expect(refused.err).toContain("The data was moved to PostgreSQL at ");
      const add = ["suppression", "add", "ada@example.com", "--reason", "COMPLAINT"];
      const notHere = {
        code: 1,
        out: "",
        err: expect.stringContaining("The data was moved to PostgreSQL at "),
      };
      expect(await postrider(home.path, add)).toEqual(notHere);
      const isMoved = { code: 1, out: expect.stringContaining("its data was moved to ") };
      expect(await postrider(home.path, ["doctor"])).toMatchObject(isMoved);
      const variables = { DATABASE_URL: database.url };
      const listed = await postrider(home.path, ["workspace", "list", "--json"], variables);
      expect(JSON.parse(listed.out)).toHaveLength(1);
      const to = ["move", "--to", `${home.path}/back`];
      const back = await postrider(home.path, to, variables);
      expect([back.code, back.err]).toEqual([0, ""]);
      // Nobody has released what was held on the way there.
      expect(back.out).toContain("Nothing more had to be held. What was held before is held still");
      expect(back.out).not.toContain("nothing is held");
      expect(existsSync(`${home.path}/back/postrider.db`)).toBe(true);
      // Whose connection was lost at the end calls again to see whether it is done.
      const again = await postrider(home.path, to, variables);
      expect(again.err).toContain(
        `the data was moved to ${home.path}/back/postrider.db already: start servers`,
      );
      const err = expect.stringContaining(`The data was moved to ${home.path}/back/postrider.db`);
      expect(await postrider(home.path, add, variables)).toEqual({ code: 1, out: "", err });
      expect(await postrider(home.path, ["doctor"], variables)).toMatchObject(isMoved);
      const taken = await postrider(home.path, ["move", "--take-back", "--json"]);
      expect({ code: taken.code, said: JSON.parse(taken.out) }).toEqual({ code: 0, said: { held: 4 } });
      expect((await postrider(home.path, ["move", "--take-back"])).err).toContain("nothing to take back");
      const takenThere = await postrider(home.path, ["move", "--take-back"], variables);
      expect(takenThere.out).toContain(
        "who left, complained, bounced or was suppressed since then may be mailed again",
      );
      await (await startPostrider(home.path)).end("SIGTERM");
      const both = await postrider(home.path, ["move", "--take-back", "--to", "other"]);
      expect(both.code).toBe(2);
    } finally {
      await database.drop();
    }
  });
});
