import { Button, FileButton } from "@mantine/core";
import { useState } from "react";
import type { Import, ImportError } from "../../api/api.gen.ts";
import { asError } from "../../parts/as-error.ts";
import { keepCsv } from "../../parts/copies/keep-file.ts";
import { useTexts } from "../../texts/texts.tsx";
import { CHOOSES_ANEW, FileChanged, withFile } from "../../api/chosen-file.ts";
import { rowsWithReasons, type FileFormat } from "./file-rows.ts";
import { messagesOf } from "./messages.ts";
import { fileOf, forgetFile } from "./upload.ts";

type Props = {
  readonly one: Import;
  /** How its file was read. */
  readonly format: FileFormat;
};

/**
 * A file of the rows that failed, to be mended and imported. The server keeps no file that is imported, so the rows come
 * from the file itself: it is still here where the import began on this page, and else is chosen once more.
 */
export function FailedRows({ one, format }: Props) {
  const { imports } = useTexts();
  const { isBusy, says, keep } = useKeeping(one, format);
  const own = fileOf(one.id);
  return (
    <>
      {own === null ? (
        <FileButton
          onChange={(file) => file && keep(file)}
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
    </>
  );
}

function useKeeping({ id, fileName }: Import, format: FileFormat) {
  const { imports, fromServer } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [says, setSays] = useState<string | null>(null);
  const keep = (file: File): void => {
    setBusy(true);
    setSays(null);
    messagesOf(id)
      .then((errors) => {
        const reasons = reasonsOf(errors, fromServer);
        return withFile(file, () => rowsWithReasons(file, format, imports.message, reasons));
      })
      .then((text) =>
        text === null ? setSays(imports.otherFile(fileName)) : keepCsv(text, `${fileName}.failed.csv`),
      )
      .catch((error: unknown) => {
        if (error instanceof FileChanged) forgetFile();
        setSays(asError(error).message);
      })
      .finally(() => setBusy(false));
  };
  return { isBusy, says, keep };
}

/** By line, all that is said of its row. */
function reasonsOf(
  errors: readonly ImportError[],
  fromServer: (sentence: string) => string,
): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>();
  for (const { line, message } of errors)
    reasons.set(line, [...(reasons.has(line) ? [reasons.get(line)] : []), fromServer(message)].join("; "));
  return reasons;
}
