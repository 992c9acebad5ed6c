import { ColorInput, SegmentedControl, TextInput } from "@mantine/core";
import { attributeOf } from "../../letter/tag.ts";
import { wholeAddress } from "../../letter/whole-address.ts";
import { setAttribute, type Tagged } from "../../letter/edit-letter.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useBlockActions } from "./block-actions.tsx";
import { usualAlign } from "./block-look.tsx";

type FieldProps = { readonly piece: Tagged; readonly name: string; readonly label: string };

/** An attribute of a block: its value and its setter. An empty field removes the attribute. */
function useAttribute(piece: Tagged, name: string) {
  const { edit } = useBlockActions();
  const value = attributeOf(piece.tag, name) ?? "";
  const set = (next: string | null) =>
    void edit((letter) => setAttribute(letter, piece.id, name, next), `${piece.id} ${name}`);
  return [value, set] as const;
}

type TextFieldProps = FieldProps & {
  readonly description?: string;
  readonly placeholder?: string;
  /** Whether an empty value is different from none, as for an image's description. */
  readonly keepsEmpty?: boolean;
  /** Whether it is the address of a link: it is made whole when the field is left. */
  readonly isLink?: boolean;
};

export function TextField({
  piece,
  name,
  label,
  description,
  placeholder,
  keepsEmpty = false,
  isLink = false,
}: TextFieldProps) {
  const [value, set] = useAttribute(piece, name);
  const put = (next: string): void => set(next === "" && !keepsEmpty ? null : next);
  return (
    <TextInput
      label={label}
      description={description}
      placeholder={placeholder}
      value={value}
      onChange={({ currentTarget }) => put(currentTarget.value)}
      onBlur={() => {
        if (isLink && wholeAddress(value) !== value) put(wholeAddress(value));
      }}
    />
  );
}

type InputProps = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string | null) => void;
};

/** A length as CSS writes it: `24px`, `50%`. A bare number means pixels. */
export function LengthInput({ label, value, set }: InputProps) {
  const { letter } = useTexts();
  return (
    <TextInput
      label={label}
      placeholder={letter.byDefault}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value === "" ? null : currentTarget.value)}
      onBlur={() => /^\d+(\.\d+)?$/.test(value) && set(`${value}px`)}
    />
  );
}

export function LengthField({ piece, name, label }: FieldProps) {
  const [value, set] = useAttribute(piece, name);
  return <LengthInput label={label} value={value} set={set} />;
}

export function ColourInput({ label, value, set }: InputProps) {
  const { letter } = useTexts();
  return (
    <ColorInput
      label={label}
      placeholder={letter.byDefault}
      value={value}
      eyeDropperButtonProps={{ "aria-label": label }}
      onChange={(next) => set(next === "" ? null : next)}
    />
  );
}

export function ColourField({ piece, name, label }: FieldProps) {
  const [value, set] = useAttribute(piece, name);
  return <ColourInput label={label} value={value} set={set} />;
}

export function AlignField({ piece }: { readonly piece: Tagged }) {
  const { letter } = useTexts();
  const [value, set] = useAttribute(piece, "align");
  return (
    <div>
      <p className="field-label">{letter.align}</p>
      <SegmentedControl
        aria-label={letter.align}
        size="xs"
        value={value === "" ? usualAlign(piece.tag) : value}
        onChange={(next) => set(next)}
        data={(["left", "center", "right"] as const).map((side) => ({
          value: side,
          label: letter.aligns[side],
        }))}
      />
    </div>
  );
}
