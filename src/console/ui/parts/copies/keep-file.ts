const KEPT_MS = 60_000;

/** A CSV file. The mark at its start is there because spreadsheets otherwise take it for another encoding. */
export const keepCsv = (text: Blob | string, name: string): void =>
  keepFile(new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }), name);

/** Lets the browser save something as a file of this name. */
function keepFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read it within a minute. Then its memory is freed.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
