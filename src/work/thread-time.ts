import { readFileSync, readlinkSync } from "node:fs";

/** The kernel counts in hundredths of a second (USER_HZ, proc(5)). */
const MS_PER_TICK = 10;

/**
 * The number of the calling thread, by which other threads can read its time. Null if the system has no
 * /proc.
 */
export function ownThreadNumber(): number | null {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return null;
  }
}

/** How much processor time a thread of this process has used, in milliseconds; null if it cannot be read. */
export function threadTimeMs(thread: number | null): number | null {
  if (thread === null) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The name, in parentheses, may hold any character: utime and stime are the 12th and 13th field after it.
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(utime) + Number(stime)) * MS_PER_TICK;
  } catch {
    return null;
  }
}
