import { readFileSync } from "node:fs";

/**
 * Resolves with the first SIGTERM or SIGINT, which asks the server to stop. A second one ends the process at
 * once. The end of a terminal (SIGHUP) asks for the same, unless whoever started the server had it ignored. It is
 * never the second one, because the shell and the system both send it.
 */
export function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    const signals = ["SIGTERM", "SIGINT", ...(ignoresHangUp() ? [] : (["SIGHUP"] as const))] as const;
    for (const signal of signals) {
      process.on(signal, () => {
        if (asked && signal === "SIGHUP") return;
        if (asked) process.exit(130);
        asked = true;
        resolve(signal);
      });
    }
  });
}

/** `nohup` ignores it, and a listener would undo that. Where the system does not tell, it is left as it is. */
function ignoresHangUp(): boolean {
  try {
    const [, mask] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "latin1")) ?? [];
    return mask === undefined || (BigInt(`0x${mask}`) & 1n) === 1n;
  } catch {
    return true;
  }
}
