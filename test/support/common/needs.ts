/**
 * For tests that need something that a machine may not have: `test.skipIf(lacks(…))`. Prints what is missing,
 * so that no test is skipped without a reason in the output.
 */
export function lacks(what: string, isHere: boolean, advice: string): boolean {
  if (!isHere) console.warn(`SKIPPED, for there is no ${what}: ${advice}`);
  return !isHere;
}

/** The same for programs, by the names they are called by. */
export function lacksProgram(...names: readonly string[]): boolean {
  const missing = names.filter((name) => Bun.which(name) === null);
  return lacks(missing.join(", "), missing.length === 0, "install it to run these tests too.");
}

/** And for programs on a terminal, which the `script` of Linux makes. */
export function lacksTerminal(...names: readonly string[]): boolean {
  const isLinux = process.platform === "linux";
  return isLinux ? lacksProgram("script", ...names) : lacks("Linux", isLinux, "they need its `script`.");
}
