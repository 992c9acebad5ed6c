const KEPT_MS = 60_000;

/** Has the browser keep something as a file of this name. */
export function keepFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it before a minute has passed; then its memory is free again.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
