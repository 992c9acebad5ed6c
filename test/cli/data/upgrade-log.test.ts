/** What is said while a database is brought up to a newer schema. */
import { expect, test } from "bun:test";
import { upgradeLog } from "#app/upgrade-log.ts";
import { createLog } from "#log.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const UPGRADE = { from: "0010_people", to: "0013_attributes" };
const applies = (migration: string, number: number) =>
  ({ kind: "applies", migration, number, of: 3 }) as const;

function listening() {
  const clock = manualClock();
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "json", clock, write: (line) => lines.push(line) });
  const tell = upgradeLog({ log, clock });
  return { clock, tell, told: () => lines.splice(0).map((line) => JSON.parse(line)) };
}

test("a quick upgrade has two lines: that it begins, and where the copy is", () => {
  const { tell, told } = listening();
  tell(UPGRADE, { kind: "copies" });
  expect(told()).toMatchObject([{ level: "info", ...UPGRADE }]);
  for (const number of [1, 2, 3]) tell(UPGRADE, applies("0011_key_scopes", number));
  tell(UPGRADE, { kind: "checks" });
  expect(told()).toEqual([]);
  tell(UPGRADE, { kind: "done", copy: "/data/copy" });
  expect(told()).toMatchObject([{ level: "info", ...UPGRADE, copy: "/data/copy" }]);
});

test("one that takes long says before a step, once nothing was said for five seconds, how far it is", () => {
  const { clock, tell, told } = listening();
  const messages = (): string[] => told().map(({ message }) => message);
  tell(UPGRADE, { kind: "copies" });
  expect(messages()).toEqual(["bringing the database up to a newer schema; it is copied first"]);
  clock.advance(5_000);
  tell(UPGRADE, applies("0011_key_scopes", 1));
  expect(messages()).toEqual(["the upgrade goes on with 0011_key_scopes, 1 of 3"]);
  clock.advance(4_999);
  tell(UPGRADE, applies("0012_suppression_order", 2));
  expect(messages()).toEqual([]);
  clock.advance(1);
  tell(UPGRADE, applies("0013_attributes", 3));
  expect(messages()).toEqual(["the upgrade goes on with 0013_attributes, 3 of 3"]);
  clock.advance(60_000);
  tell(UPGRADE, { kind: "checks" });
  expect(messages()).toEqual(["the upgrade goes on: references between tables are checked"]);
});
