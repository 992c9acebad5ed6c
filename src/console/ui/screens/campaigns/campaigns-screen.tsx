import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { Campaign, CampaignStatus } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session.tsx";
import { useShortcut } from "../../frame/shortcuts.ts";
import { useAddress } from "../../frame/use-address.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/paged.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { CampaignRows } from "./campaign-rows.tsx";
import { stateOf } from "./campaign-state.ts";

const FILTERS = { q: "", status: "" };
const STATUSES = ["DRAFT", "SCHEDULED", "SENT"] as const satisfies readonly CampaignStatus[];

/** Every campaign with its figures, the newest first. */
export default function CampaignsScreen() {
  const { campaigns } = useTexts();
  const { may } = useSession();
  const [, navigate] = useLocation();
  useShortcut("c", campaigns.new, () => may("editor") && navigate("/campaigns/new"));
  const [filters, setFilters] = useAddress(FILTERS);
  return (
    <Page
      title={campaigns.title}
      actions={
        may("editor") && (
          <Button component={Link} href="/campaigns/new" leftSection={<IconPlus size={16} aria-hidden />}>
            {campaigns.new}
          </Button>
        )
      }
    >
      <Filters filters={filters} onChange={setFilters} />
      <Found filters={filters} onShowAll={() => setFilters(FILTERS)} />
    </Page>
  );
}

type Filters = typeof FILTERS;

function Filters({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}) {
  const { campaigns } = useTexts();
  const [typed, setTyped] = useState(filters.q);
  const search = useDebouncedCallback((q: string) => onChange({ q }), 250);
  return (
    <Group className="campaigns-filters">
      <TextInput
        data-search
        type="search"
        aria-label={campaigns.search}
        placeholder={campaigns.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          search(currentTarget.value);
        }}
      />
      <Select
        aria-label={campaigns.state}
        allowDeselect={false}
        value={filters.status}
        onChange={(status) => onChange({ status: status ?? "" })}
        data={[
          { value: "", label: campaigns.anyState },
          ...STATUSES.map((value) => ({ value, label: campaigns.states[value] })),
        ]}
      />
    </Group>
  );
}

function useCampaigns({ q, status }: Filters) {
  const chosen = STATUSES.find((one) => one === status);
  return usePages<Campaign>(
    ["campaigns", "list", q, status],
    ({ query: place, signal }) => {
      const filter = { ...(q === "" ? {} : { q }), ...(chosen === undefined ? {} : { status: chosen }) };
      const query = { ...place, ...filter, limit: 30, include: "delivered" as const };
      return ok(api.GET("/api/v1/campaigns", { params: { query }, signal }));
    },
    (campaign) => stateOf(campaign) === "SENDING",
  );
}

function Found({ filters, onShowAll }: { readonly filters: Filters; readonly onShowAll: () => void }) {
  const pages = useCampaigns(filters);
  const isFiltered = filters.q !== "" || filters.status !== "";
  return (
    <Paged pages={pages} empty={isFiltered ? <NoneFits onShowAll={onShowAll} /> : <None />}>
      {(all) => <CampaignRows campaigns={all} />}
    </Paged>
  );
}

function None() {
  const { campaigns } = useTexts();
  const { may } = useSession();
  return (
    <EmptyState
      title={campaigns.none}
      says={campaigns.noneSays}
      action={
        may("editor") && (
          <Button component={Link} href="/campaigns/new">
            {campaigns.new}
          </Button>
        )
      }
    />
  );
}

function NoneFits({ onShowAll }: { readonly onShowAll: () => void }) {
  const { campaigns } = useTexts();
  return (
    <EmptyState
      title={campaigns.notFound}
      says={campaigns.notFoundSays}
      action={
        <Button variant="default" onClick={onShowAll}>
          {campaigns.showAll}
        </Button>
      }
    />
  );
}
