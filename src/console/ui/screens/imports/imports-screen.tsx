import { Button, Table } from "@mantine/core";
import { Link } from "wouter";
import type { Import } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { STATE_TONES } from "./state-tones.ts";

/** Every file that was imported, newest first. */
export default function ImportsScreen() {
  const { imports, contacts } = useTexts();
  const { may } = useSession();
  const pages = usePages<Import>(
    ["imports", "pages"],
    ({ query, signal }) =>
      ok(api.GET("/api/v1/imports", { params: { query: { ...query, limit: 50 } }, signal })),
    ({ state }) => state === "RUNNING",
  );
  const button = (
    <Button component={Link} href="/imports/new">
      {imports.start}
    </Button>
  );
  return (
    <Page
      title={imports.all}
      back={{ href: "/contacts", label: contacts.title }}
      {...(may("editor") ? { actions: button } : {})}
    >
      <Paged pages={pages} empty={<EmptyState title={imports.none} says={imports.noneSays} />}>
        {(all) => <ImportTable imports={all} />}
      </Paged>
    </Page>
  );
}

function ImportTable({ imports: all }: { readonly imports: readonly Import[] }) {
  const { imports } = useTexts();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{imports.file}</Table.Th>
          <Table.Th>{imports.state}</Table.Th>
          <Table.Th ta="right">{imports.created}</Table.Th>
          <Table.Th ta="right">{imports.failed}</Table.Th>
          <Table.Th className="lists-when">{imports.when}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {all.map(({ id, fileName, state, created, failed, createdAt }) => (
          <Table.Tr key={id}>
            <Table.Td className="lists-name">
              <Link href={`/imports/${id}`}>{fileName}</Link>
            </Table.Td>
            <Table.Td>
              <StatusWord tone={STATE_TONES[state]}>{imports.states[state]}</StatusWord>
            </Table.Td>
            <Table.Td ta="right">
              <Count value={created} />
            </Table.Td>
            <Table.Td ta="right">
              <Count value={failed} />
            </Table.Td>
            <Table.Td className="lists-when">
              <RelativeTime at={createdAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
