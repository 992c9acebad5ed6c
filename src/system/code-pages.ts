/**
 * The memory that holds the code of the executable. A start runs much of it once, and most of that is not needed again
 * soon.
 */
import { readFileSync } from "node:fs";

/** `MADV_DONTNEED` (madvise(2)). */
const DONT_NEED = 4;

/**
 * Lets go of the executable's code, on Linux: the process no longer holds it. What is needed again comes back by itself
 * from the system's cache of files, or from the file. On other systems nothing changes.
 */
export async function letGoOfCode(): Promise<void> {
  if (process.platform !== "linux") return;
  try {
    const advise = await memoryAdvice();
    for (const { from, bytes } of codePages(readFileSync("/proc/self/smaps", "utf8"), process.execPath))
      advise(from, bytes, DONT_NEED);
  } catch {
    // Another C library, or a sandbox without /proc: the code stays in memory.
  }
}

async function memoryAdvice(): Promise<(from: bigint, bytes: bigint, advice: number) => number> {
  const { dlopen } = await import("bun:ffi");
  return dlopen("libc.so.6", { madvise: { args: ["u64", "u64", "i32"], returns: "i32" } }).symbols.madvise;
}

/** A range of addresses. */
type Pages = { readonly from: bigint; readonly bytes: bigint };

const HEAD = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \S+ +(.*)$/;
const UNCHANGED = /^Anonymous: +0 kB$/;

/**
 * The parts of `file` in `smaps`, the kernel's list of a process's memory (proc_pid_smaps(5)), that nobody can write
 * and nobody has written. They are as in the file, so nothing is lost with them.
 */
export function codePages(smaps: string, file: string): Pages[] {
  const found: Pages[] = [];
  let pages: Pages | null = null;
  for (const line of smaps.split("\n")) {
    const head = HEAD.exec(line);
    if (head !== null) pages = readOnlyPages(head, file);
    else if (pages !== null && UNCHANGED.test(line)) found.push(pages);
  }
  return found;
}

function readOnlyPages([, from, end, access, path]: RegExpExecArray, file: string): Pages | null {
  if (path !== file || access?.includes("w") !== false) return null;
  const first = BigInt(`0x${from}`);
  return { from: first, bytes: BigInt(`0x${end}`) - first };
}
