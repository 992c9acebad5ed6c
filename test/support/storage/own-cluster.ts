import type { Cluster } from "./postgres-cluster.ts";

/** Where tests find their PostgreSQL: its address, or the file in which scripts/postgres.ts will write it. */
export const CLUSTER = "POSTRIDER_TEST_POSTGRES";

/** The PostgreSQL that this process started for its tests, if it did. */
const own: { cluster?: Cluster } = {};

/** It keeps running for the files after this one, if the process runs several. */
export function keepOwnCluster(cluster: Cluster): void {
  own.cluster = cluster;
  process.env[CLUSTER] = cluster.url;
}

/** Called after the last file of a run (patience.ts). */
export async function endOwnCluster(): Promise<void> {
  if (own.cluster === undefined) return;
  delete process.env[CLUSTER];
  await own.cluster.stop();
  delete own.cluster;
}
