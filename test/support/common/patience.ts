/**
 * Loaded before the tests (bunfig.toml). A test waits for a condition, never for a time. On a busy machine it
 * may take long, and Bun's own limit of 5 seconds would call it broken. Only a test that hangs should be
 * ended.
 *
 * Bun uses this limit only in the first file of a run, which is enough for a file that runs alone. For a run
 * of many files, scripts/test passes the same limit.
 */
import { afterAll, setDefaultTimeout } from "bun:test";
import { endOwnCluster } from "../storage/own-cluster.ts";

setDefaultTimeout(180_000);
// After the last file of the run.
afterAll(endOwnCluster);
