import { Button } from "@mantine/core";
import { Link } from "wouter";
import type { Import } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useAddress } from "../../../frame/use-address.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { EmptyState } from "../../../parts/states/empty-state.tsx";
import { Count } from "../../../parts/numbers.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { ImportDetail } from "./import-detail.tsx";
import { ImportStanding } from "./import-standing.tsx";

const DEFAULTS = { import: "" };
const FIGURES = ["rows", "created", "updated", "skipped", "failed"] as const;

/** Imports that are running or over; or one of them, with what is wrong with its rows. */
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
    ({ query, signal }) =>
      ok(api.GET("/api/v1/imports", { params: { query: { ...query, include: "share" } }, signal })),
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
        <DataTable
          items={items}
          keyOf={({ id }) => id}
          columns={[
            { label: columns.file, kind: "long", cell: (one) => <ImportName one={one} /> },
            { label: columns.state, cell: (one) => <ImportStanding one={one} /> },
            ...FIGURES.map((name) => ({
              label: imports.figures[name],
              kind: "number" as const,
              cell: (one: Import) => <Count value={one[name]} />,
            })),
            {
              label: columns.began,
              kind: "when" as const,
              cell: ({ createdAt }: Import) => <RelativeTime at={createdAt} />,
            },
          ]}
        />
      )}
    </Paged>
  );
}

function ImportName({ one: { id, fileName, error } }: { readonly one: Import }) {
  const { fromServer } = useTexts();
  return (
    <>
      <Link href={`/activity?tab=imports&import=${id}`}>{fileName}</Link>
      {error !== null && <p className="activity-bad">{fromServer(error)}</p>}
    </>
  );
}
