/**
 * Resolves with the first SIGTERM or SIGINT, which asks the server to stop. A second one ends the process at
 * once.
 */
export function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (asked) process.exit(130);
        asked = true;
        resolve(signal);
      });
    }
  });
}
