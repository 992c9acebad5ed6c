/**
 * Loaded before the tests (bunfig.toml). A test waits for a guarantee, never for time: on a busy machine it
 * may take long, and only one that hangs is ended. Bun's own limit of 5 seconds calls a slow test a broken
 * one. Bun heeds this in the first file of a run, which is all there is when a file is run alone;
 * scripts/test says the same for many.
 */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(60_000);
