import { Stack } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { FileChanged } from "../../api/chosen-file.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly onFile: (file: File) => void };

export function ChooseFile({ onFile }: Props) {
  const { imports } = useTexts();
  return (
    <Dropzone
      onDrop={([file]) => file && onFile(file)}
      multiple={false}
      inputProps={{ "aria-label": imports.choose }}
      className="imports-drop"
    >
      <Stack align="center" gap="xs">
        <IconFileSpreadsheet size={40} stroke={1.4} aria-hidden />
        <strong>{imports.drop}</strong>
        <span className="imports-says">{imports.dropSays}</span>
      </Stack>
    </Dropzone>
  );
}

type ErrorProps = Props & { readonly error: Error; readonly retry?: () => void };

/** What went wrong with a file. One that was changed meanwhile can only be chosen again. */
export function FileError({ error, retry, onFile }: ErrorProps) {
  if (!(error instanceof FileChanged)) return <LoadError error={error} {...(retry ? { retry } : {})} />;
  return (
    <Stack>
      <LoadError error={error} />
      <ChooseFile onFile={onFile} />
    </Stack>
  );
}
