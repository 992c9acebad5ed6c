/** How long the writes of an SQLite server get: counted in rows, not timed. */
import type { TestApi } from "../server/api.ts";

/** From now on, with what triggers change. Set `rows` to 0 to begin anew. */
export function longestWrite({ services }: Pick<TestApi, "services">): { rows: number } {
  const longest = { rows: 0 };
  const { sqlite, writes } = services.database;
  const written = (): number =>
    sqlite.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n ?? Number.NaN;
  const write = writes.write.bind(writes);
  writes.write = (job) =>
    write(() => {
      const before = written();
      const answer = job();
      longest.rows = Math.max(longest.rows, written() - before);
      return answer;
    });
  return longest;
}
