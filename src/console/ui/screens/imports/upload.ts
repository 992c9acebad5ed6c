import type { ImportOptions, ImportPreview } from "../../api/api.gen.ts";
import { withFile } from "../../api/chosen-file.ts";
import { api, ApiError, ok } from "../../api/client.ts";
import { beginWork } from "../../frame/unfinished.ts";

/** A preview needs this much of a file. */
const PREVIEW_BYTES = 1024 * 1024;

/** The file and its options as a form sends them. */
function parts(file: Blob, name: string, options: ImportOptions): FormData {
  const form = new FormData();
  form.append("options", JSON.stringify(options));
  form.append("file", file, name);
  return form;
}

/** The beginning of a file as an import with these options would read it. */
export async function previewOf(
  file: File,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<ImportPreview> {
  const form = parts(file.slice(0, PREVIEW_BYTES), file.name, options);
  const answer = await withFile(file, () =>
    ok(
      api.POST("/api/v1/imports/preview", {
        params: { query: { include: "rows,types" } },
        body: { file: "" },
        bodySerializer: () => form,
        signal,
      }),
    ),
  );
  return answer.data;
}

/** Whether a file was refused because nobody named its encoding. The whole of it may be where its beginning was not. */
export const asksForEncoding = (error: Error | null): boolean =>
  error instanceof ApiError && error.field?.name === "encoding";

/** Sends the whole file. From then on the server imports it in the background; if the page is left before, it has nothing. */
export async function startImport(file: File, options: ImportOptions): Promise<string> {
  const form = parts(file, file.name, options);
  const stop = new AbortController();
  const isSent = beginWork(() => stop.abort());
  try {
    const { signal } = stop;
    const answer = await withFile(file, () =>
      ok(api.POST("/api/v1/imports", { body: { file: "" }, bodySerializer: () => form, signal })),
    );
    sent = { id: answer.data.id, file };
    return answer.data.id;
  } finally {
    isSent();
  }
}

/** The file that was sent last, as long as this page lives: to look into it needs no second choice. */
let sent: { readonly id: string; readonly file: File } | null = null;

/** It was changed since: nothing can be read from it any more. */
export function forgetFile(): void {
  sent = null;
}

export const fileOf = (id: string): File | null => (sent?.id === id ? sent.file : null);
