const KEPT_MS = 60_000;

/** Lets the browser save something as a file of this name. */
export function keepFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read it within a minute. Then its memory is freed.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
