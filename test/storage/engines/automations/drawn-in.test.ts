import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chain } from "../../../support/automations/automations.ts";
import { runGround } from "../../../support/automations/engine-runs.ts";
import { HELLO, NEW_SUBSCRIBER } from "../../../support/automations/flows.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

const UNTIL = 9_000;
const NOW = 1_000;

/** Who is not held by the quiet hours that were changed. */
const OTHERS = {
  "waits as the flow's author chose": "waiting = true",
  "is at the end of the flow": "status = 'COMPLETED'",
  "is held until another time": `next_run_at = ${UNTIL + 1}`,
} as const;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`runs that quiet hours held, on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let ground: ReturnType<typeof runGround>;
    let mine: number;
    let theirs: number;

    const enroll = async (id: string, automation: number, workspace = 1): Promise<void> => {
      const [contact] = await ground.people(id, 1, workspace);
      await opened.run(
        `INSERT INTO enrollments (id, automation, contact, depth, status, node, next_run_at, enrolled_at)
         VALUES ('${id}', ${automation}, ${contact}, 0, 'ACTIVE', 'mail', ${UNTIL}, 0)`,
      );
    };
    const due = async (): Promise<string[]> =>
      (await opened.values(`SELECT id FROM enrollments WHERE next_run_at = ${NOW} ORDER BY id`)).map(String);

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ground = runGround(opened);
      const flow = chain(NEW_SUBSCRIBER, ["mail", "action", HELLO], ["out", "end"]);
      mine = (await ground.live(flow)).number;
      theirs = (await ground.live(flow)).number;
      await opened.run(`UPDATE automations SET workspace = 2 WHERE seq = ${theirs}`);
    });
    afterAll(() => opened.close());

    test("are due now, some at a time, and nobody else is", async () => {
      for (const id of ["held1", "held2", "held3"]) await enroll(id, mine);
      await enroll("theirs", theirs, 2);
      for (const [n, change] of Object.values(OTHERS).entries()) {
        await enroll(`other${n}`, mine);
        await opened.run(`UPDATE enrollments SET ${change} WHERE id = 'other${n}'`);
      }
      const some = () => opened.stores.runs.drawInHeld("ws_one", UNTIL, NOW, 2);
      expect(await some()).toBe(2);
      expect(await due()).toHaveLength(2);
      expect([await some(), await some()]).toEqual([1, 0]);
      expect(await due()).toEqual(["held1", "held2", "held3"]);
    });
  });
}
