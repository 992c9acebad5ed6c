import { Button, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { ImportEncoding, ImportOptions } from "../../api/api.gen.ts";
import { loadErrorOf } from "../../api/query.ts";
import { Loading } from "../../parts/states/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { ChooseFile, FileError } from "./choose-file.tsx";
import { EncodingSelect } from "./encoding-select.tsx";
import { countRows, type FileFormat } from "./file-rows.ts";
import {
  encodingOption,
  newPlan,
  NOTHING_DECIDED,
  optionsOf,
  planProblems,
  type ImportPlan,
} from "./plan.ts";
import { PlanForm } from "./plan-form.tsx";
import { asksForEncoding, previewOf } from "./upload.ts";

/** From a file to its contacts: the fields of its columns, how people agreed, and a preview of the first rows. */
export default function NewImportScreen() {
  const { imports, contacts } = useTexts();
  const [{ file, turn }, set] = useState<{ file: File | null; turn: number }>({ file: null, turn: 0 });
  const setFile = (next: File | null): void => set({ file: next, turn: turn + 1 });
  return (
    <Page
      title={imports.title}
      back={{ href: "/contacts", label: contacts.title }}
      actions={
        file === null ? (
          <Button component={Link} href="/imports" variant="default">
            {imports.earlier}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setFile(null)}>
            {imports.another}
          </Button>
        )
      }
    >
      {file === null ? <ChooseFile onFile={setFile} /> : <OneFile key={turn} file={file} onFile={setFile} />}
    </Page>
  );
}

const UTF8: FileFormat = { encoding: "utf-8", delimiter: "," };
const NO_OPTIONS: ImportOptions = {};

type OneProps = { readonly file: File; readonly onFile: (file: File) => void };

function OneFile({ file, onFile }: OneProps) {
  const [plan, setPlan] = useState<ImportPlan | null>(null);
  /** With what a plan begins where none is chosen yet. */
  const [begun, setBegun] = useState(NOTHING_DECIDED);
  const { encoding } = begun;
  const first = useQuery({
    queryKey: ["imports", "look", file.name, file.size, file.lastModified, encoding],
    queryFn: ({ signal }) => previewOf(file, encodingOption(encoding), signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = plan ?? (first.data ? newPlan(first.data, begun) : null);
  const readAs = (chosen: ImportEncoding): void => {
    setBegun({ ...(shown ?? begun), encoding: chosen });
    // The columns may be called otherwise now.
    setPlan(null);
  };
  const counted = useQuery({
    queryKey: ["imports", "count", file.name, file.size, file.lastModified, encoding],
    enabled: first.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => countRows(file, first.data ?? UTF8, signal),
  });
  const options = shown && optionsOf(shown);
  const isReady = shown !== null && planProblems(shown).length === 0;
  const rows = useQuery({
    queryKey: ["imports", "rows", file.name, file.size, file.lastModified, options],
    enabled: isReady,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => previewOf(file, options ?? NO_OPTIONS, signal),
  });
  const error = loadErrorOf(first);
  if (error)
    return (
      <Stack>
        <FileError error={error} retry={() => void first.refetch()} onFile={onFile} />
        {asksForEncoding(error) && <EncodingSelect value={encoding} onChange={readAs} />}
      </Stack>
    );
  if (shown === null) return <Loading />;
  return (
    <PlanForm
      file={file}
      onFile={onFile}
      encoding={first.data?.encoding ?? "utf-8"}
      onEncoding={readAs}
      plan={shown}
      onChange={setPlan}
      preview={isReady ? rows.data : undefined}
      error={rows.error}
      rows={counted.data}
    />
  );
}
