import { VisuallyHidden } from "@mantine/core";

type Props = {
  readonly caption: string;
  /** The names of the columns; the first is that of the steps. */
  readonly names: readonly [string, ...string[]];
  readonly rows: readonly {
    readonly at: string;
    readonly name: string;
    readonly figures: readonly string[];
  }[];
};

/** The figures of a chart, for people who do not see it: screen readers read a table, and no lines. */
export function FiguresTable({ caption, names, rows }: Props) {
  return (
    <VisuallyHidden component="div">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, name, figures }) => (
            <tr key={at}>
              <th scope="row">{name}</th>
              {figures.map((figure, i) => (
                <td key={names[i + 1]}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}
