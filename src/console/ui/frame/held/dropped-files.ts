/**
 * A file that is dropped beside the place for files is not opened. Firefox and WebKit would show it instead of the page, and
 * what is in an open dialog would be gone.
 */
export function droppedFilesStayOut(): void {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
}
