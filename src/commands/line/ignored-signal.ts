import { readFileSync } from "node:fs";
import { constants } from "node:os";

/**
 * Whether who started the process has the signal ignored (`nohup`, a shell's `&`): a listener would undo that. Where the
 * system does not tell, it is taken as ignored.
 */
export function isIgnored(signal: "SIGHUP" | "SIGINT" | "SIGTERM"): boolean {
  try {
    const [, mask] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "latin1")) ?? [];
    return mask === undefined || ((BigInt(`0x${mask}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
  } catch {
    return true;
  }
}
