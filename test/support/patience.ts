/**
 * Loaded before every test file (bunfig.toml). A test waits for a guarantee, never for time: on a busy machine it may take long, and
 * only one that hangs is ended. Bun's own limit of 5 seconds calls a slow test a broken one.
 */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(60_000);
