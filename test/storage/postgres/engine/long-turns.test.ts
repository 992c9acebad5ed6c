import { expect, test } from "bun:test";
import { QuestionTooLong } from "#core/errors/question-too-long.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { longTurns } from "#storage/postgres/engine/long-turns.ts";

test("however many questions take minutes, one place stays for those that do not, and no more are asked at once", async () => {
  const { questions } = longTurns();
  const end = Promise.withResolvers<void>();
  const seen = { now: 0, most: 0, long: 0, mostLong: 0 };
  const ask = (workspace: number, isLong: boolean) =>
    questions(workspace, async ({ isShort }) => {
      seen.most = Math.max(seen.most, ++seen.now);
      try {
        await nextLoopTurn();
        if (!isLong) return "short";
        if (isShort) throw new QuestionTooLong();
        seen.mostLong = Math.max(seen.mostLong, ++seen.long);
        await end.promise;
        seen.long--;
        return "long";
      } finally {
        seen.now--;
      }
    });
  const long = [1, 1, 1, 2, 3].map((workspace) => ask(workspace, true));
  for (let n = 0; n < 20; n++) expect(await ask(1 + (n % 3), false)).toBe("short");
  expect(seen).toEqual({ now: 1, most: 2, long: 1, mostLong: 1 });
  end.resolve();
  expect(await Promise.all(long)).toEqual(["long", "long", "long", "long", "long"]);
  expect(seen).toEqual({ now: 0, most: 2, long: 0, mostLong: 1 });
});

test("what fails for another reason than its time is not tried again", async () => {
  const { questions } = longTurns();
  let tried = 0;
  const failing = questions(1, () => {
    tried++;
    return Promise.reject(new Error("no connection"));
  });
  expect(await failing.catch(String)).toBe("Error: no connection");
  expect(tried).toBe(1);
});
