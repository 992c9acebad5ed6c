import { Table, Title } from "@mantine/core";
import type { ContactStatus, ImportPreview } from "../../api/api.gen.ts";
import { attributeText } from "../../audience/attribute-text.ts";
import { ContactStatusWord } from "../../audience/contact-status-word.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** The first rows as they will be imported, and what is wrong with them. */
export function FirstRows({ preview }: { readonly preview: ImportPreview }) {
  const { imports, contacts } = useTexts();
  const { rows = [] } = preview;
  const names = [...new Set(rows.flatMap(({ contact }) => Object.keys(contact?.attributes ?? {})))].slice(
    0,
    6,
  );
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="first">
      <Title order={2} id="first" mb="xs">
        {imports.first}
      </Title>
      <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table fz={13}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{imports.row}</Table.Th>
              <Table.Th>{contacts.contact}</Table.Th>
              <Table.Th>{contacts.status}</Table.Th>
              <Table.Th>{contacts.tags}</Table.Th>
              {names.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.line} row={row} names={names} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

type RowProps = {
  readonly row: NonNullable<ImportPreview["rows"]>[number];
  readonly names: readonly string[];
};

function Row({ row, names }: RowProps) {
  const { imports, contact: texts, fromServer } = useTexts();
  const { line, contact, message } = row;
  if (contact === null)
    return (
      <Table.Tr>
        <Table.Td>{line}</Table.Td>
        <Table.Td colSpan={3 + names.length} className="imports-text">
          <div className="imports-fault">
            <StatusWord tone="bad">{imports.fails}</StatusWord>
            {message !== null && <span>{fromServer(message)}</span>}
          </div>
        </Table.Td>
      </Table.Tr>
    );
  return (
    <Table.Tr>
      <Table.Td>{line}</Table.Td>
      <Table.Td className="imports-text">
        {contact.email}
        <span className="imports-name">
          {[contact.firstName, contact.lastName].filter(Boolean).join(" ")}
        </span>
        {message !== null && <span className="imports-name">{fromServer(message)}</span>}
      </Table.Td>
      <Table.Td>
        <ContactStatusWord status={contact.status as ContactStatus} />
      </Table.Td>
      <Table.Td className="imports-text">{contact.tags?.join(", ")}</Table.Td>
      {names.map((name) => (
        <Table.Td key={name} className="imports-text">
          {attributeText(contact.attributes, name, texts)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
