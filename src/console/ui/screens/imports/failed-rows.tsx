import { Button, FileButton } from "@mantine/core";
import { useState } from "react";
import type { Import, ImportError } from "../../api/api.gen.ts";
import { asError } from "../../parts/as-error.ts";
import { keepCsv } from "../../parts/copies/keep-file.ts";
import { useTexts } from "../../texts/texts.tsx";
import { CHOOSES_ANEW, FileChanged, withFile } from "../../api/chosen-file.ts";
import { EncodingSelect } from "./encoding-select.tsx";
import { rowsWithReasons } from "./file-rows.ts";
import { messagesOf } from "./messages.ts";
import { asksForEncoding, fileOf, forgetFile, previewOf, type SentFile } from "./upload.ts";

/**
 * A file of the rows that failed, to be mended and imported. The server keeps no file that is imported, so the rows come
 * from the file itself: it is still here where the import began on this page, and else is chosen once more.
 */
export function FailedRows({ one }: { readonly one: Import }) {
  const { imports } = useTexts();
  const { isBusy, says, unread, keep } = useKeeping(one);
  const own = fileOf(one.id);
  return (
    <>
      {own === null ? (
        <FileButton
          onChange={(file) => file && keep({ file })}
          accept=".csv,.txt,.tsv,text/csv"
          inputProps={CHOOSES_ANEW}
        >
          {(props) => (
            <Button {...props} variant="default" loading={isBusy}>
              {imports.rowsOfFile}
            </Button>
          )}
        </FileButton>
      ) : (
        <Button variant="default" loading={isBusy} onClick={() => keep(own)}>
          {imports.failedRows}
        </Button>
      )}
      {says !== null && (
        <p role="alert" className="imports-problem">
          {says}
        </p>
      )}
      {unread !== null && (
        <EncodingSelect value={null} onChange={(encoding) => keep({ file: unread, encoding })} />
      )}
    </>
  );
}

function useKeeping({ id, fileName }: Import) {
  const { imports, fromServer } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [says, setSays] = useState<string | null>(null);
  /** A file that was chosen once more, of which nobody has said how it is written. */
  const [unread, setUnread] = useState<File | null>(null);
  const keep = (sent: SentFile): void => {
    setBusy(true);
    setSays(null);
    setUnread(null);
    messagesOf(id)
      .then((errors) => withReasons(sent, imports.message, errors, fromServer))
      .then((text) =>
        text === null ? setSays(imports.otherFile(fileName)) : keepCsv(text, `${fileName}.failed.csv`),
      )
      .catch((error: unknown) => {
        if (error instanceof FileChanged) forgetFile();
        if (asksForEncoding(asError(error))) setUnread(sent.file);
        setSays(asError(error).message);
      })
      .finally(() => setBusy(false));
  };
  return { isBusy, says, unread, keep };
}

async function withReasons(
  { file, encoding }: SentFile,
  head: string,
  errors: readonly ImportError[],
  fromServer: (sentence: string) => string,
): Promise<string | null> {
  const reasons = new Map<number, string>();
  for (const { line, message } of errors)
    reasons.set(line, [...(reasons.has(line) ? [reasons.get(line)] : []), fromServer(message)].join("; "));
  const format = await previewOf(
    file,
    encoding === undefined ? {} : { encoding },
    new AbortController().signal,
  );
  return await withFile(file, () => rowsWithReasons(file, format, head, reasons));
}
