import { Select } from "@mantine/core";
import type { AuditEntry } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useAddress } from "../../frame/use-address.ts";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import type { Texts } from "../../texts/en/index.ts";
import { useTexts } from "../../texts/texts.tsx";
import { AuditTarget } from "./audit-target.tsx";
import { useKeyNames } from "./key-names.ts";

const DEFAULTS = { what: "" };

type Words = Texts["activity"]["audit"];

/** The act in words; an act that is not known here is shown as the API names it. */
const whatIn = ({ whats }: Words, what: string): string => (whats as Record<string, string>)[what] ?? what;

const KEY = /^key /;

function whoIn({ commandLine, key }: Words, who: string): string {
  if (who === "command line") return commandLine;
  return KEY.test(who) ? key(who.replace(KEY, "")) : who;
}

/** Who did what, the newest first. */
export function AuditTab() {
  const { activity } = useTexts();
  const { audit: texts } = activity;
  const [{ what }, setAddress] = useAddress(DEFAULTS);
  const pages = usePages<AuditEntry>(["audit", what], ({ query, signal }) => {
    const filtered = { ...query, include: "names" as const, ...(what === "" ? {} : { what }) };
    return ok(api.GET("/api/v1/audit", { params: { query: filtered }, signal }));
  });
  const empty =
    what === "" ? (
      <EmptyState title={texts.none} says={texts.noneSays} />
    ) : (
      <EmptyState title={activity.nothingFits} says={activity.nothingFitsSays} />
    );
  const choices = Object.entries(texts.whats).map(([value, label]) => ({ value, label }));
  return (
    <>
      <Select
        className="activity-filter"
        mb="md"
        data-search
        label={texts.filter}
        placeholder={activity.all}
        data={choices.toSorted((a, b) => a.label.localeCompare(b.label))}
        searchable
        clearable
        value={what === "" ? null : what}
        onChange={(next) => setAddress({ what: next ?? "" })}
      />
      <Paged pages={pages} empty={empty}>
        {(items) => <AuditTable entries={items} />}
      </Paged>
    </>
  );
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { audit: texts } = useTexts().activity;
  const { columns } = texts;
  const keyNames = useKeyNames(entries);
  return (
    <DataTable
      items={entries}
      // An entry has no id, and two of one moment may be equal; entries never change.
      keyOf={({ at, who, what, target }, place) => `${at} ${who} ${what} ${target} ${entries.length - place}`}
      columns={[
        { label: columns.at, kind: "when", cell: ({ at }) => <RelativeTime at={at} /> },
        { label: columns.who, kind: "long", cell: ({ who }) => whoIn(texts, who) },
        { label: columns.what, isTitle: true, cell: ({ what }) => whatIn(texts, what) },
        {
          label: columns.target,
          kind: "long",
          cell: (entry) => <AuditTarget entry={entry} keyNames={keyNames} />,
        },
      ]}
    />
  );
}
