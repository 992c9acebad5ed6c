import { rmSync, statSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { isIgnored } from "./ignored-signal.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Before a file is made. @throws Error if there is no directory for it */
export function checkDirectoryOf(file: string): void {
  if (!isDirectory(dirname(file))) throw new Error(`there is no directory ${dirname(file)}`);
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Runs `work`, which makes these files and takes them away. If a signal ends the process meanwhile, they are taken away
 * first: they hold people's addresses, and nobody would look for them.
 */
export async function withUnfinished<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
  const listeners = SIGNALS.filter((signal) => !isIgnored(signal)).map((signal) => {
    const end = (): never => {
      for (const file of files) rmSync(file, { force: true });
      process.exit(128 + constants.signals[signal]);
    };
    process.on(signal, end);
    return () => process.off(signal, end);
  });
  try {
    return await work();
  } finally {
    for (const forget of listeners) forget();
  }
}
