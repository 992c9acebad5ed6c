import { NativeSelect } from "@mantine/core";
import type { ImportEncoding } from "../../api/api.gen.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = {
  /** How the file is read now; null: it cannot be read yet. */
  readonly value: ImportEncoding | null;
  readonly onChange: (encoding: ImportEncoding) => void;
};

/** How the letters of a file are written. Only people see whether names are right. */
export function EncodingSelect({ value, onChange }: Props) {
  const { imports } = useTexts();
  const names = Object.entries(imports.encodings);
  return (
    <NativeSelect
      className="imports-narrow"
      label={imports.encoding}
      description={value !== null && imports.encodingSays}
      value={value ?? ""}
      onChange={(event) => {
        const chosen = names.find(([encoding]) => encoding === event.currentTarget.value);
        if (chosen) onChange(chosen[0] as ImportEncoding);
      }}
      data={[
        ...(value === null ? [{ value: "", label: imports.encodingChoose }] : []),
        ...names.map(([encoding, label]) => ({ value: encoding, label })),
      ]}
    />
  );
}
