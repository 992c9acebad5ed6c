import { rmSync } from "node:fs";
import { constants } from "node:os";
import { isIgnored } from "./ignored-signal.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
