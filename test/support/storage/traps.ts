/** What the database does by itself, or refuses, when rows are written: for a test that cannot bring it about otherwise. */
import type { TestApi } from "../server/api.ts";
import { isPostgres, writeTo } from "../server/services.ts";

type Trap = {
  /** Which writes: `BEFORE UPDATE OF tags ON contacts`. */
  readonly at: string;
  /** Of which rows, by `old` and `new`; of all unless given. */
  readonly only?: string;
  /** Statements that both engines understand. */
  readonly act: string;
};

/** Sets it; what it returns ends it. */
export async function trap(api: TestApi, { at, only, act }: Trap): Promise<() => Promise<void>> {
  const name = `trap_${crypto.randomUUID().replaceAll("-", "")}`;
  const table = at.split(" ").at(-1);
  const when = only === undefined ? "" : `WHEN (${only})`;
  if (!isPostgres) {
    await writeTo(api, `CREATE TRIGGER ${name} ${at} ${when} BEGIN ${act}; END`);
    return () => writeTo(api, `DROP TRIGGER IF EXISTS ${name}`);
  }
  // A trigger before a write decides by what it returns which row is written.
  const row = at.includes(" DELETE ") ? "old" : "new";
  await writeTo(
    api,
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${act}; RETURN ${row}; END $$`,
  );
  await writeTo(api, `CREATE TRIGGER ${name} ${at} FOR EACH ROW ${when} EXECUTE FUNCTION ${name}()`);
  return () => writeTo(api, `DROP TRIGGER IF EXISTS ${name} ON ${table}`);
}

/** Such a write fails with these words. */
export const refusing = (
  api: TestApi,
  at: string,
  words: string,
  only?: string,
): Promise<() => Promise<void>> =>
  trap(api, {
    at,
    ...(only !== undefined && { only }),
    act: isPostgres ? `RAISE EXCEPTION '${words}'` : `SELECT raise(ABORT, '${words}')`,
  });
