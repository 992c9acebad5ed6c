/** Whether the disk of PostgreSQL has room again, after it was full. */
import type { Transactions } from "./transaction.ts";

/** A file beside the tables, which PostgreSQL removes at once: a table would grow for ever. */
const BESIDE_THE_TABLES =
  "SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)";
/** More than a megabyte. Less may fit into what is there already: a row is changed, and the next one cannot be added. */
const FILL = "SELECT count(*) AS n FROM generate_series(1, 100000)";

/** @throws StorageError where there is none */
export async function tryRoom({ snapshot }: Pick<Transactions, "snapshot">): Promise<void> {
  await snapshot(async ({ row }) => {
    await row(BESIDE_THE_TABLES);
    await row(FILL);
  });
}
