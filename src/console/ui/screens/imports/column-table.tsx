import { Alert, Button, NativeSelect, Table, Title } from "@mantine/core";
import type { ImportColumnType } from "../../api/api.gen.ts";
import { useAttributeNames } from "../../api/attributes.ts";
import { useTexts } from "../../texts/texts.tsx";
import { fieldLabel } from "./labels.ts";
import { choicesFor, typeOf, typesFor, withField, withType, type ImportPlan } from "./plan.ts";

type Props = { readonly plan: ImportPlan; readonly onChange: (plan: ImportPlan) => void };

/** Each column of the file with some of its values, and the field that it is imported as. */
export function ColumnTable({ plan, onChange }: Props) {
  const { imports } = useTexts();
  const attributes = useAttributeNames();
  return (
    <section aria-labelledby="columns">
      <Title order={2} id="columns" mb="xs">
        {imports.columns}
      </Title>
      {plan.source !== null && (
        <Alert color="teal" mb="sm">
          <p className="imports-problem">{imports.recognized(plan.source)}</p>
          <Button size="compact-sm" variant="default" onClick={() => onChange({ ...plan, source: null })}>
            {imports.own}
          </Button>
        </Alert>
      )}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{imports.column}</Table.Th>
            <Table.Th className="imports-samples">{imports.samples}</Table.Th>
            <Table.Th>{imports.becomes}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {plan.columns.map(({ header, samples }, place) => (
            <Table.Tr key={`${place} ${header}`}>
              <Table.Td className="imports-text">{header}</Table.Td>
              <Table.Td className="imports-text imports-samples">{samples.join(" · ")}</Table.Td>
              <Table.Td className="imports-text">
                <span className="imports-name imports-samples-here">{samples.join(" · ")}</span>
                <NativeSelect
                  size="xs"
                  aria-label={imports.becomesOf(header)}
                  disabled={plan.source !== null}
                  value={plan.fields[header] ?? ""}
                  onChange={(event) => onChange(withField(plan, header, event.currentTarget.value || null))}
                  data={[
                    { value: "", label: imports.leaveOut },
                    ...choicesFor(plan, header, attributes).map((field) => ({
                      value: field,
                      label: fieldLabel(imports, field),
                    })),
                  ]}
                />
                <TypeSelect plan={plan} header={header} onChange={onChange} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** What the values of an attribute are kept as: conditions compare numbers and dates only as such. */
function TypeSelect({ plan, header, onChange }: Props & { readonly header: string }) {
  const { imports } = useTexts();
  const type = typeOf(plan, header);
  if (type === null) return null;
  return (
    <NativeSelect
      mt={4}
      size="xs"
      aria-label={imports.typeOf(header)}
      value={type}
      onChange={(event) => onChange(withType(plan, header, event.currentTarget.value as ImportColumnType))}
      data={typesFor(plan, header, Object.keys(imports.types) as ImportColumnType[]).map((value) => ({
        value,
        label: imports.types[value],
      }))}
    />
  );
}
