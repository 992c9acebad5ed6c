import { Button } from "@mantine/core";
import { Link } from "wouter";
import type { Import } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session/session.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
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
    <DataTable
      phone="rows"
      items={all}
      keyOf={({ id }) => id}
      columns={[
        {
          label: imports.file,
          kind: "long",
          cell: ({ id, fileName }) => <Link href={`/imports/${id}`}>{fileName}</Link>,
        },
        {
          label: imports.state,
          cell: ({ state }) => <StatusWord tone={STATE_TONES[state]}>{imports.states[state]}</StatusWord>,
        },
        { label: imports.figures.created, kind: "number", cell: ({ created }) => <Count value={created} /> },
        { label: imports.figures.failed, kind: "number", cell: ({ failed }) => <Count value={failed} /> },
        {
          label: imports.when,
          kind: "when",
          isExtra: true,
          cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
      ]}
    />
  );
}
