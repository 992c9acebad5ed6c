/**
 * The memory of this process, in bytes; null if it cannot be read now. The runtime opens a file to read it, so it throws
 * when no file can be opened. Thrown out of a timer, that would end the server.
 */
export function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}
