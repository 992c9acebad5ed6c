import { Select, Table } from "@mantine/core";
import type { AuditEntry } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useAddress } from "../../frame/use-address.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Paged } from "../../parts/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import type { Texts } from "../../texts/en/index.ts";
import { useTexts } from "../../texts/texts.tsx";

const DEFAULTS = { what: "" };

type Words = Texts["activity"]["audit"];

/** What was done, in words; a later kind as the service calls it. */
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
    const filtered = { ...query, ...(what === "" ? {} : { what }) };
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
  const { activity } = useTexts();
  const texts = activity.audit;
  return (
    <Table.ScrollContainer
      minWidth={560}
      // Nothing in it takes the focus, and who has no mouse scrolls it too.
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": activity.tabs.audit } }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            {Object.entries(texts.columns).map(([name, label]) => (
              <Table.Th key={name}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(({ at, who, what, target }, place) => (
            // An entry has no id, and two of one moment may be alike; entries never change.
            <Table.Tr key={`${at} ${who} ${what} ${target} ${entries.length - place}`}>
              <Table.Td className="activity-when">
                <RelativeTime at={at} />
              </Table.Td>
              <Table.Td className="activity-long">{whoIn(texts, who)}</Table.Td>
              <Table.Td>{whatIn(texts, what)}</Table.Td>
              <Table.Td className="activity-long">{target ?? "–"}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
