import { CloseButton, NumberInput, Select, TextInput } from "@mantine/core";
import { TagInput } from "../../../audience/tag-input.tsx";
import {
  isEditable,
  LINE_SUBJECTS,
  needsValue,
  newLine,
  opsOf,
  subjectOf,
  valueKindOf,
  type Line,
  type LineSubject,
} from "../../../flow/condition-lines.ts";
import { kindOf } from "../../../flow/node-kind.ts";
import { nodeSummary, scalarText } from "../../../flow/node-words.ts";
import { NumberText } from "../../../parts/typed/number-text.tsx";
import { readNumber, writeNumber } from "../../../parts/typed/typed-number.ts";
import { useTypedText } from "../../../parts/typed/typed-text.ts";
import { AS_TYPED } from "../../../parts/typing.ts";
import { useTexts } from "../../../texts/texts.tsx";
import { useEditor } from "../editor.tsx";
import { useListChoices } from "./action-fields.tsx";

type Props = {
  readonly line: Line;
  readonly isDisabled: boolean;
  readonly onChange: (line: Line) => void;
  /** Null: the last line must stay. */
  readonly onRemove: (() => void) | null;
};

/** One line: subject, op and value. A line that the console cannot edit is shown unchanged. */
export function ConditionLine({ line, isDisabled, onChange, onRemove }: Props) {
  const { panel, subjects } = useTexts().automations;
  const about = subjectOf(line);
  if (about === null || !isEditable(line))
    return (
      <div className="automation-line">
        <code>{JSON.stringify(line)}</code>
        <p>{panel.lockedLine}</p>
      </div>
    );
  const choose = (value: string | null) => {
    const subject = LINE_SUBJECTS.find((known) => known === value);
    if (subject !== undefined && subject !== about.subject) onChange(newLine(subject));
  };
  return (
    <fieldset className="automation-line" disabled={isDisabled}>
      <div className="automation-line-head">
        <Select
          aria-label={panel.lineSubject}
          data={LINE_SUBJECTS.map((value) => ({ value, label: subjects[value] }))}
          allowDeselect={false}
          value={about.subject}
          onChange={choose}
        />
        {onRemove && !isDisabled && <CloseButton aria-label={panel.removeLine} onClick={onRemove} />}
      </div>
      <LineName line={line} name={about.name} subject={about.subject} onChange={onChange} />
      <LineOp line={line} subject={about.subject} onChange={onChange} />
      {needsValue(about.subject, line.op) && (
        <LineValue line={line} subject={about.subject} onChange={onChange} />
      )}
      {about.subject === "event" && <LineDays line={line} onChange={onChange} />}
    </fieldset>
  );
}

type PartProps = Pick<Props, "line" | "onChange"> & { readonly subject: LineSubject };

/** The name after the dot of `attributes.` and `trigger.`. */
function LineName({ line, name, subject, onChange }: PartProps & { readonly name: string }) {
  const { panel } = useTexts().automations;
  if (subject !== "attributes" && subject !== "trigger") return null;
  return (
    <TextInput
      {...AS_TYPED}
      label={panel.lineName}
      placeholder="plan"
      value={name}
      onChange={(event) => onChange({ ...line, field: `${subject}.${event.currentTarget.value}` })}
    />
  );
}

function LineOp({ line, subject, onChange }: PartProps) {
  const { panel, ops, membership, listMembership } = useTexts().automations;
  const words: Readonly<Record<string, string>> =
    subject === "tag" ? membership : subject === "list" ? listMembership : ops;
  const known = opsOf(subject);
  if (known.length === 1) return null;
  return (
    <Select
      aria-label={panel.lineOp}
      data={known.map((value) => ({ value, label: words[value] ?? value }))}
      allowDeselect={false}
      value={line.op}
      onChange={(op) => op !== null && onChange({ ...line, op })}
    />
  );
}

function LineValue({ line, subject, onChange }: PartProps) {
  const { panel, statuses } = useTexts().automations;
  const mails = useMailChoices();
  const value = written(line.value);
  const lists = useListChoices(subject === "list" ? value : "");
  const set = (next: unknown) => onChange({ ...line, value: next });
  const label = panel.lineValue;
  switch (isComparing(line.op) ? "number" : valueKindOf(subject)) {
    case "number":
      return (
        <NumberText
          aria-label={label}
          value={numberOf(line.value)}
          onChange={(number) => set(number ?? "")}
        />
      );
    case "list":
      return <Choice label={label} {...lists} value={value} onChange={set} />;
    case "mail":
      return <Choice label={label} data={mails} value={value} onChange={set} />;
    case "status":
      return (
        <Choice
          label={label}
          data={Object.entries(statuses).map(([status, name]) => ({ value: status, label: name }))}
          value={value}
          onChange={set}
        />
      );
    case "tag":
      return <TagInput label={label} isLabelHidden value={value} onChange={(tag) => set(typed(tag, line))} />;
    case "text":
    case "event":
      return (
        <ScalarText label={label} value={line.value} read={(text) => typed(text, line)} onChange={set} />
      );
  }
}

const written = (value: unknown): string =>
  typeof value === "number" ? writeNumber(value) : scalarText(value);

/** A number or a switch stays one as long as the typed text is one; everything else is a text. */
function typed(text: string, { value }: Line): unknown {
  if (typeof value === "number") return readNumber(text) ?? text;
  if (typeof value === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** The server reads the value of these as a number, also where it is a text. */
const isComparing = (op: string): boolean => op === "greaterThan" || op === "lessThan";

function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

type ScalarProps = {
  readonly label: string;
  readonly value: unknown;
  readonly read: (text: string) => unknown;
  readonly onChange: (value: unknown) => void;
};

function ScalarText({ label, value, read, onChange }: ScalarProps) {
  const { text, type } = useTypedText(value, written);
  return (
    <TextInput
      {...AS_TYPED}
      aria-label={label}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        type(next, read(next));
        onChange(read(next));
      }}
    />
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSearchChange?: (typed: string) => void;
  readonly limit?: number;
};

function Choice({ label, data, value, onChange, ...props }: ChoiceProps) {
  const isKnown = value === "" || data.some((choice) => choice.value === value);
  return (
    <Select
      {...props}
      aria-label={label}
      data={isKnown ? [...data] : [...data, { value, label: value }]}
      searchable
      allowDeselect={false}
      value={value === "" ? null : value}
      onChange={(next) => next !== null && onChange(next)}
    />
  );
}

/** The mails of this flow, by their subjects. */
function useMailChoices() {
  const { flow, wording } = useEditor();
  return flow.nodes
    .filter((node) => kindOf(node) === "sendEmail")
    .map((node) => ({ value: node.id, label: nodeSummary(node, wording) }));
}

function LineDays({ line, onChange }: Pick<PartProps, "line" | "onChange">) {
  const { panel } = useTexts().automations;
  const set = (days: number | string) => {
    const { withinDays: _before, ...rest } = line;
    onChange(days === "" ? rest : { ...rest, withinDays: Number(days) });
  };
  return (
    <NumberInput
      label={panel.withinDays}
      min={0}
      value={typeof line.withinDays === "number" ? line.withinDays : ""}
      onChange={set}
    />
  );
}
