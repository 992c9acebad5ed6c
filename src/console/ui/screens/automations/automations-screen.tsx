import { Button, SegmentedControl } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { Automation, AutomationStatus } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useShortcut } from "../../frame/shortcuts.ts";
import { useAddress } from "../../frame/use-address.ts";
import { nameColumn, whenColumn } from "../../parts/lists/columns.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { AutomationStateWord } from "./automation-state-word.tsx";
import { NewAutomation } from "./new-automation.tsx";

const STATUSES = ["DRAFT", "LIVE", "PAUSED"] as const satisfies readonly AutomationStatus[];

const DEFAULTS = { status: "" };

function useAutomations(status: string) {
  const wanted = STATUSES.find((known) => known === status);
  return usePages(["automations", "page", wanted ?? ""], ({ query: place, signal }) => {
    const query = { ...place, limit: 50, ...(wanted === undefined ? {} : { status: wanted }) };
    return ok(api.GET("/api/v1/automations", { params: { query }, signal }));
  });
}

/** All automations, and a button for a new one. */
export default function AutomationsScreen() {
  const { automations: texts } = useTexts();
  const { may } = useSession();
  const [{ status }, setAddress] = useAddress(DEFAULTS);
  const [isMaking, setMaking] = useState(false);
  const pages = useAutomations(status);
  useShortcut("n", texts.newOne, () => may("editor") && setMaking(true));
  const make = may("editor") && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {texts.newOne}
    </Button>
  );
  const isNew = pages.items?.length === 0 && status === "";
  return (
    <Page title={texts.title} says={texts.says} actions={isNew ? null : make}>
      <NewAutomation opened={isMaking} onClose={() => setMaking(false)} />
      {!isNew && <StatusFilter status={status} onChange={(next) => setAddress({ status: next })} />}
      <Paged
        pages={pages}
        empty={
          isNew ? (
            <EmptyState title={texts.none} says={texts.noneSays} action={make} />
          ) : (
            <AutomationTable automations={[]} />
          )
        }
      >
        {(automations) => <AutomationTable automations={automations} />}
      </Paged>
    </Page>
  );
}

type StatusFilterProps = { readonly status: string; readonly onChange: (status: string) => void };

function StatusFilter({ status, onChange }: StatusFilterProps) {
  const { automations: texts } = useTexts();
  const choices = [
    { value: "", label: texts.all },
    ...STATUSES.map((value) => ({ value, label: texts.states[value] })),
  ];
  return (
    <SegmentedControl aria-label={texts.filter} mb="md" data={choices} value={status} onChange={onChange} />
  );
}

function AutomationTable({ automations }: { readonly automations: readonly Automation[] }) {
  const { automations: texts } = useTexts();
  const { columns } = texts;
  return (
    <DataTable
      phone="rows"
      items={automations}
      keyOf={({ id }) => id}
      columns={[
        nameColumn(columns.name, (id) => `/automations/${id}`),
        { label: columns.state, cell: ({ status }) => <AutomationStateWord status={status} /> },
        {
          label: columns.inIt,
          kind: "number",
          cell: ({ activeEnrollments }) => <Count value={activeEnrollments} />,
        },
        whenColumn(columns.changed, "updatedAt"),
      ]}
    />
  );
}
