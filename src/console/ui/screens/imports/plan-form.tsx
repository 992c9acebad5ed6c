import {
  Alert,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NativeSelect,
  Radio,
  Stack,
  Title,
} from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ImportEncoding, ImportPreview } from "../../api/api.gen.ts";
import { useChoices, useHasNoList } from "../../audience/choices.ts";
import { FirstList } from "../../audience/first-list.tsx";
import { useFormat } from "../../frame/format.ts";
import { useGoOn } from "../../frame/still-here.ts";
import { useTexts } from "../../texts/texts.tsx";
import { FileError } from "./choose-file.tsx";
import { ColumnTable } from "./column-table.tsx";
import { EncodingSelect } from "./encoding-select.tsx";
import { FirstRows } from "./first-rows.tsx";
import { fieldLabel } from "./labels.ts";
import {
  hasStatus,
  hasToolStatus,
  hasWhoLeft,
  leftThere,
  mayBringBack,
  optionsOf,
  planProblems,
  type ImportPlan,
} from "./plan.ts";
import { asksForEncoding, startImport } from "./upload.ts";

type Props = {
  readonly file: File;
  readonly onFile: (file: File) => void;
  /** How its letters are read. */
  readonly encoding: ImportEncoding;
  readonly onEncoding: (encoding: ImportEncoding) => void;
  readonly plan: ImportPlan;
  readonly onChange: (plan: ImportPlan) => void;
  readonly preview: ImportPreview | undefined;
  readonly error: Error | null;
  /** How many rows the file has; undefined until they are counted. */
  readonly rows: number | undefined;
};

/** Everything that is decided before a file is imported, and what will come of it. */
export function PlanForm({ file, onFile, plan, onChange, preview, error, rows, ...letters }: Props) {
  const { imports } = useTexts();
  const { quantity } = useFormat();
  const goOn = useGoOn();
  const queries = useQueryClient();
  const starting = useMutation({
    mutationFn: () => startImport(file, optionsOf(plan)),
    onSuccess: async (id) => {
      goOn(`/imports/${id}`);
      await queries.invalidateQueries({ queryKey: ["imports", "pages"] });
    },
  });
  const problems = planProblems(plan);
  const hider = mayBringBack(plan);
  const isNotPlain = letters.encoding !== "utf-8" || plan.encoding !== null;
  const isRefused = problems.length > 0 || (preview?.refusal ?? null) !== null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRefused) starting.mutate();
      }}
    >
      <Stack gap="xl">
        <strong className="imports-file">{file.name}</strong>
        {isNotPlain && <EncodingSelect value={letters.encoding} onChange={letters.onEncoding} />}
        <ColumnTable plan={plan} onChange={onChange} />
        <Agreement plan={plan} onChange={onChange} />
        {hider !== null && (
          <Alert color="yellow" role="status">
            {hider === "listmonk" ? imports.leftHiddenInListmonk : imports.leftHidden(hider)}
          </Alert>
        )}
        <More plan={plan} onChange={onChange} />
        {error && <FileError error={error} onFile={onFile} />}
        {preview && <FirstRows preview={preview} />}
        <Problems plan={plan} refusal={preview?.refusal ?? null} />
        {starting.error && error === null && <FileError error={starting.error} onFile={onFile} />}
        {asksForEncoding(starting.error) && !isNotPlain && (
          <EncodingSelect value={null} onChange={letters.onEncoding} />
        )}
        <Group>
          <Button type="submit" disabled={isRefused} loading={starting.isPending}>
            {rows === undefined ? imports.go : imports.goRows(quantity(rows))}
          </Button>
          {starting.isPending && <span role="status">{imports.sending}</span>}
        </Group>
      </Stack>
    </form>
  );
}

function Problems({ plan, refusal }: { readonly plan: ImportPlan; readonly refusal: string | null }) {
  const { imports, fromServer } = useTexts();
  const says = planProblems(plan).map((problem) =>
    problem.code === "twice" ? imports.twice(fieldLabel(imports, problem.field)) : imports[problem.code],
  );
  const all = [...says, ...(refusal === null ? [] : [fromServer(refusal)])];
  if (all.length === 0) return null;
  return (
    <Alert color="yellow" role="status">
      {all.map((each) => (
        <p key={each} className="imports-problem">
          {each}
        </p>
      ))}
    </Alert>
  );
}

type PartProps = Pick<Props, "plan" | "onChange">;

function Agreement({ plan, onChange }: PartProps) {
  const { imports, rules } = useTexts();
  const left = leftThere(plan);
  const description =
    left?.is === "told" ? imports.leftThere(left.tool) : hasWhoLeft(plan) && imports.leftInColumns;
  const isOfTool = hasToolStatus(plan);
  const set = (status: string): void => onChange({ ...plan, status: status as ImportPlan["status"] });
  if (hasStatus(plan))
    return (
      <NativeSelect
        className="imports-narrow"
        label={isOfTool ? imports.toolStatus : imports.statusColumn}
        description={description}
        value={isOfTool ? plan.status || "SUBSCRIBED" : plan.status}
        onChange={(event) => set(event.currentTarget.value)}
        data={[
          ...(isOfTool ? [] : [{ value: "", label: imports.noDefault }]),
          ...(["SUBSCRIBED", "PENDING", "UNSUBSCRIBED"] as const).map((status) => ({
            value: status,
            label: rules.statuses[status],
          })),
        ]}
      />
    );
  return (
    <Radio.Group
      label={<Title order={2}>{imports.agreed}</Title>}
      description={description}
      value={plan.status}
      onChange={set}
    >
      <Stack gap="xs" mt="xs">
        {(["SUBSCRIBED", "PENDING", "UNSUBSCRIBED"] as const).map((status) => (
          <Radio key={status} value={status} label={imports.agreements[status]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function More({ plan, onChange }: PartProps) {
  const { imports } = useTexts();
  const lists = useChoices("list");
  const hasNone = useHasNoList();
  return (
    <Stack gap="sm" className="imports-narrow">
      {hasNone && <FirstList onMade={(listId) => onChange({ ...plan, listIds: [listId] })} />}
      {lists.length > 0 && (
        <MultiSelect
          searchable
          label={imports.lists}
          data={lists.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...plan.listIds]}
          onChange={(listIds) => onChange({ ...plan, listIds })}
        />
      )}
      <NativeSelect
        label={imports.existing}
        value={plan.existing}
        onChange={(event) =>
          onChange({ ...plan, existing: event.currentTarget.value === "keep" ? "keep" : "update" })
        }
        data={[
          { value: "update", label: imports.update },
          { value: "keep", label: imports.keep },
        ]}
      />
      <Checkbox
        label={imports.automations}
        checked={plan.startAutomations}
        onChange={(event) => onChange({ ...plan, startAutomations: event.currentTarget.checked })}
      />
    </Stack>
  );
}
