/** Makes the database do something, or refuse, when rows are written: for what a test cannot cause otherwise. */
import type { TestApi } from "../server/api.ts";
import { isPostgres, writeTo } from "../server/services.ts";

type Trap = {
  /** Which writes: `BEFORE UPDATE OF tags ON contacts`. */
  readonly at: string;
  /** The rows, by `old` and `new`; all if not given. */
  readonly only?: string;
  /** Statements that both engines understand. */
  readonly act: string;
};

/** Sets the trap. The returned function removes it. */
export async function trap(api: TestApi, { at, only, act }: Trap): Promise<() => Promise<void>> {
  const name = `trap_${crypto.randomUUID().replaceAll("-", "")}`;
  const table = at.split(" ").at(-1);
  const when = only === undefined ? "" : `WHEN (${only})`;
  if (!isPostgres) {
    await writeTo(api, `CREATE TRIGGER ${name} ${at} ${when} BEGIN ${act}; END`);
    return () => writeTo(api, `DROP TRIGGER IF EXISTS ${name}`);
  }
  // What a trigger before a write returns is the row that is written.
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
