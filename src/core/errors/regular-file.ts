/**
 * For small files that operators name, before they are read: reading a pipe waits for ever for somebody who writes, and
 * a device may never end.
 * @param found what `stat` says
 * @throws Error
 */
export function checkRegularFile(found: { isFile(): boolean }): void {
  if (!found.isFile()) throw new Error("it is no regular file");
}
