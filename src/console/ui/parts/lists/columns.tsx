import { Link } from "wouter";
import { RelativeTime } from "../relative-time.tsx";
import type { Column } from "./data-table.tsx";

type Named = { readonly id: string; readonly name: string };

/** The name of what a row is about, which leads to it. */
export const nameColumn = (label: string, hrefOf: (id: string) => string): Column<Named> => ({
  label,
  kind: "long",
  cell: ({ id, name }) => <Link href={hrefOf(id)}>{name}</Link>,
});

/** When something happened, by the member that says so. Hidden on a phone if rows stay rows. */
export const whenColumn = <Member extends string>(
  label: string,
  member: Member,
): Column<Readonly<Record<Member, string>>> => ({
  label,
  kind: "when",
  isExtra: true,
  cell: (item) => <RelativeTime at={item[member]} />,
});
