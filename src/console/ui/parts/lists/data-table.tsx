import { Table, VisuallyHidden } from "@mantine/core";
import { Fragment, type ReactNode } from "react";

/** One column: its header, and its cell for each row. */
export type Column<Item> = {
  readonly label: string;
  readonly cell: (item: Item) => ReactNode;
  /**
   * `long` may break anywhere, `when` never breaks, `number` and `actions` are on the right. On a phone `actions`
   * have no label before them, and their header is only for screen readers: the buttons say what they do.
   */
  readonly kind?: "long" | "when" | "number" | "actions";
  /** The title of a card, instead of the first column. */
  readonly isTitle?: boolean;
  /** Hidden on a phone if rows stay rows. */
  readonly isExtra?: boolean;
};

type Props<Item> = {
  readonly items: readonly Item[];
  /** The first one names the row; null: a column that is not shown to this person. */
  readonly columns: readonly (Column<Item> | null)[];
  readonly keyOf: (item: Item, place: number) => string;
  /** Content under a row, over its whole width. */
  readonly below?: (item: Item) => ReactNode;
  /** How it is shown on a phone: a card for each row, or rows with fewer columns. */
  readonly phone?: "cards" | "rows";
};

/** A table with a header. On a phone each row is a card or has fewer columns: nothing is wider than the screen. */
export function DataTable<Item>({ items, columns, keyOf, below, phone = "cards" }: Props<Item>) {
  const shown = columns.filter((column) => column !== null);
  const title = shown.find(({ isTitle }) => isTitle) ?? shown[0];
  return (
    <Table className="data-table" data-phone={phone}>
      <Table.Thead>
        <Table.Tr>
          {shown.map((column) => (
            <Table.Th key={column.label} {...looksOf(column)}>
              {column.kind === "actions" ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item, place) => {
          const under = below?.(item);
          return (
            <Fragment key={keyOf(item, place)}>
              <Table.Tr>
                {shown.map((column) => (
                  <Table.Td
                    key={column.label}
                    data-label={column.label}
                    data-title={column === title || undefined}
                    {...looksOf(column)}
                  >
                    {column.cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
              {under !== null && under !== undefined && (
                <Table.Tr data-below>
                  <Table.Td colSpan={shown.length}>{under}</Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

const looksOf = <Item,>({ kind, isExtra }: Column<Item>) => ({
  ...(kind === undefined ? {} : { "data-kind": kind }),
  ...(isExtra === true ? { "data-extra": true } : {}),
});
