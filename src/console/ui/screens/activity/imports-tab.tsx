import { Button, Table } from "@mantine/core";
import { Link } from "wouter";
import type { Import } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Paged } from "../../parts/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { ImportDetail } from "./import-detail.tsx";
import { ImportStanding } from "./import-standing.tsx";

const DEFAULTS = { import: "" };
const FIGURES = ["rows", "created", "updated", "skipped", "failed"] as const;

/** Files of contacts on their way in, and those that are over; one of them, with what is wrong with its rows. */
export function ImportsTab() {
  const [{ import: id }] = useAddress(DEFAULTS);
  return id === "" ? <ImportList /> : <ImportDetail key={id} id={id} />;
}

function ImportList() {
  const { activity, imports } = useTexts();
  const { imports: texts } = activity;
  const { columns } = texts;
  const { may } = useSession();
  const pages = usePages<Import>(
    ["imports"],
    ({ query, signal }) => ok(api.GET("/api/v1/imports", { params: { query }, signal })),
    ({ state }) => state === "RUNNING",
  );
  const start = may("editor") && (
    <Button component={Link} href="/imports/new">
      {imports.start}
    </Button>
  );
  return (
    <Paged pages={pages} empty={<EmptyState title={texts.none} says={texts.noneSays} action={start} />}>
      {(items) => (
        <Table.ScrollContainer minWidth={760}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{columns.file}</Table.Th>
                <Table.Th>{columns.state}</Table.Th>
                {FIGURES.map((name) => (
                  <Table.Th key={name} ta="right">
                    {columns[name]}
                  </Table.Th>
                ))}
                <Table.Th>{columns.began}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((one) => (
                <ImportRow key={one.id} one={one} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paged>
  );
}

function ImportRow({ one }: { readonly one: Import }) {
  const { fromServer } = useTexts();
  return (
    <Table.Tr>
      <Table.Td className="activity-long">
        <Link href={`/activity?tab=imports&import=${one.id}`}>{one.fileName}</Link>
        {one.error !== null && <p className="activity-bad">{fromServer(one.error)}</p>}
      </Table.Td>
      <Table.Td>
        <ImportStanding one={one} />
      </Table.Td>
      {FIGURES.map((name) => (
        <Table.Td key={name} ta="right">
          <Count value={one[name]} />
        </Table.Td>
      ))}
      <Table.Td>
        <RelativeTime at={one.createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
