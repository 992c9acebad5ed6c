import { ColorInput, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import type { KeyboardEvent } from "react";
import type { Settings } from "../../../api/api.gen.ts";
import { SETTINGS, useSettings } from "../../../api/settings.ts";
import { useTypedField, type UsedField } from "../../../autosave/use-typed-field.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { Meanwhile } from "../../../parts/saving/meanwhile.tsx";
import { isComposing } from "../../../parts/typing.ts";
import type { Texts } from "../../../texts/en/index.ts";
import { useTexts } from "../../../texts/texts.tsx";
import { asOption, type Option } from "../options.ts";
import { withEncodedLogin } from "./encoded-login.ts";
import { useSaving } from "./use-saving.ts";

/** The settings that people change here. */
type SettingKey = Exclude<keyof Texts["settings"]["fields"], "domainLimits" | "warmUp">;

/** Addresses with a password in them. */
const SECRETS: readonly SettingKey[] = ["smtpUrl", "bounceMailbox"];

type Kind = "line" | "lines" | "text" | "number" | "switch" | "colour";

type Props = {
  readonly name: SettingKey;
  readonly kind?: Kind;
  readonly options?: readonly Option[];
  readonly placeholder?: string;
};

/**
 * One setting. It is saved when the field is left, or at once if there is nothing to type. The server's refusal is
 * shown under it.
 */
export function SettingField({ name, kind = "line", options, placeholder }: Props) {
  const { settings: texts } = useTexts();
  const { may } = useSession();
  const { data } = useSettings();
  const saving = useSaving();
  if (data === undefined) return null;
  const shared = {
    label: texts.fields[name].label,
    description: texts.fields[name].says,
    disabled: !may("owner"),
    error: saving.error,
  };
  const set = (value: Value): void => saving.set({ [name]: value });
  const stored = data[name];
  if (kind === "switch")
    return (
      <Switch {...shared} checked={stored === true} onChange={(event) => set(event.currentTarget.checked)} />
    );
  if (options !== undefined)
    return (
      <Select
        {...shared}
        data={withStored(options, String(stored))}
        value={String(stored)}
        searchable
        allowDeselect={false}
        onChange={(value) => value !== null && set(value)}
      />
    );
  const save: TypedProps["save"] = async (typed) => {
    const value = SECRETS.includes(name) ? withEncodedLogin(written(typed)) : typed;
    return (await saving.save({ [name]: value }))[name];
  };
  return <Typed {...shared} name={name} kind={kind} stored={stored} save={save} placeholder={placeholder} />;
}

/** What is set has its place also if it is not offered here: browsers list other names of the same time zones. */
const withStored = (options: readonly Option[], stored: string): Option[] =>
  options.some(({ value }) => value === stored) ? [...options] : [asOption(stored), ...options];

type Value = Settings[SettingKey];

type TypedProps = {
  readonly name: SettingKey;
  readonly label: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly error: string | null;
  readonly kind: Kind;
  readonly stored: Value;
  readonly placeholder: string | undefined;
  /** @returns what is stored then */
  save(value: Value): Promise<Value>;
};

function Typed({ name, kind, stored, save, ...shared }: TypedProps) {
  const field = useTypedField(
    {
      name: shared.disabled ? null : `settings.${name}`,
      isSecret: SECRETS.includes(name),
      stored: written(stored),
      written: (text) => written(read(kind, text)),
      save: async (text) => written(await save(read(kind, text))),
    },
    { queryKey: SETTINGS, storedIn: (settings: Settings) => written(settings[name]) },
  );
  return (
    <div>
      <Input {...shared} kind={kind} field={field} />
      <Meanwhile of={field} />
    </div>
  );
}

type InputProps = Omit<TypedProps, "name" | "stored" | "save"> & { readonly field: UsedField<string> };

function Input({ kind, field: { shown, type, leave, discard }, placeholder = "", ...shared }: InputProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !isComposing(event)) discard();
  };
  const input = { ...shared, placeholder, value: shown, onBlur: leave, onKeyDown };
  if (kind === "number")
    return (
      <NumberInput
        {...input}
        min={0}
        allowDecimal={false}
        thousandSeparator=" "
        onChange={(value) => type(String(value))}
      />
    );
  if (kind === "colour")
    return (
      <ColorInput
        {...input}
        format="hex"
        withEyeDropper={false}
        withPreview={shown !== ""}
        // It repeats the last colour when it is left.
        onChange={(colour) => colour !== shown && type(colour)}
      />
    );
  const set = (event: { currentTarget: { value: string } }): void => type(event.currentTarget.value);
  if (kind === "text" || kind === "lines")
    return <Textarea {...input} autosize minRows={kind === "text" ? 3 : 2} onChange={set} />;
  return (
    <TextInput
      {...input}
      onChange={set}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !isComposing(event)) leave();
        onKeyDown(event);
      }}
    />
  );
}

const written = (value: Value): string => (Array.isArray(value) ? value.join("\n") : String(value ?? ""));

function read(kind: Kind, typed: string): Value {
  const text = typed.trim();
  if (kind === "number") return text === "" ? null : Number(text);
  if (kind === "lines") return text.split(/[\s,]+/).filter((line) => line !== "");
  return text;
}
