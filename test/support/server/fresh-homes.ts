import { afterEach, beforeEach } from "bun:test";
import { startPostrider, temporaryDirectory, type RunningServer } from "./postrider.ts";

export type FreshHomes = {
  /** The data directory of the test that runs now, empty at first. */
  readonly home: string;
  /** A second directory, for files outside of it. */
  readonly other: string;
  /** Starts a server on `home`; it is killed at the end of the test. */
  start(...args: string[]): Promise<RunningServer>;
  startOn(dataDir: string, ...args: string[]): Promise<RunningServer>;
  /** Something else to close at the end of the test. */
  atEnd(close: () => unknown): void;
};

/** Call it once, at the top of a test file: every test of the file gets directories and servers of its own. */
export function freshHomes(): FreshHomes {
  let directories: ReturnType<typeof temporaryDirectory>[] = [];
  const closing: (() => unknown)[] = [];
  beforeEach(() => {
    directories = [temporaryDirectory(), temporaryDirectory()];
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    for (const directory of directories) directory.remove();
  });
  const startOn = async (dataDir: string, ...args: string[]): Promise<RunningServer> => {
    const server = await startPostrider(dataDir, args);
    closing.push(() => server.end("SIGKILL"));
    return server;
  };
  return {
    get home() {
      return directories[0]!.path;
    },
    get other() {
      return directories[1]!.path;
    },
    startOn,
    start: (...args) => startOn(directories[0]!.path, ...args),
    atEnd: (close) => void closing.push(close),
  };
}
