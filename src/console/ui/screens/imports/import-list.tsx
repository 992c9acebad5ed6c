import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Import } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session/session.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { ImportProgress, ImportStateWord } from "./import-standing.tsx";

const FIGURES = ["rows", "created", "updated", "skipped", "failed"] as const;

/** Every file that was imported, newest first: how far it is, and what happened to its rows. `action`: if there is none. */
export function ImportList({ action }: { readonly action?: ReactNode }) {
  const { imports } = useTexts();
  const pages = usePages<Import>(
    ["imports", "pages"],
    ({ query, signal }) =>
      ok(api.GET("/api/v1/imports", { params: { query: { ...query, include: "share" } }, signal })),
    ({ state }) => state === "RUNNING",
  );
  return (
    <Paged pages={pages} empty={<EmptyState title={imports.none} says={imports.noneSays} action={action} />}>
      {(items) => (
        <DataTable
          items={items}
          keyOf={({ id }) => id}
          columns={[
            { label: imports.file, kind: "long", cell: (one) => <ImportName one={one} /> },
            { label: imports.state, cell: (one) => <Standing one={one} /> },
            ...FIGURES.map((name) => ({
              label: imports.figures[name],
              kind: "number" as const,
              cell: (one: Import) => <Count value={one[name]} />,
            })),
            {
              label: imports.when,
              kind: "when" as const,
              cell: ({ createdAt }: Import) => <RelativeTime at={createdAt} />,
            },
          ]}
        />
      )}
    </Paged>
  );
}

/** The link to a new import, for those who may import. */
export function StartImport() {
  const { imports } = useTexts();
  if (!useSession().may("editor")) return null;
  return (
    <Button component={Link} href="/imports/new">
      {imports.start}
    </Button>
  );
}

function Standing({ one }: { readonly one: Import }) {
  return (
    <>
      <ImportStateWord state={one.state} />
      {one.state === "RUNNING" && <ImportProgress one={one} />}
    </>
  );
}

function ImportName({ one: { id, fileName, error } }: { readonly one: Import }) {
  const { fromServer } = useTexts();
  return (
    <>
      <Link href={`/imports/${id}`}>{fileName}</Link>
      {error !== null && <p className="imports-bad">{fromServer(error)}</p>}
    </>
  );
}
