import { Button, Group, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "wouter";
import type { Campaign, CampaignStatus } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { NameSearch } from "../../parts/name-search.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { CampaignRows } from "./campaign-rows.tsx";
import { stateOf } from "./campaign-state.ts";

const FILTERS = { q: "", status: "" };
const STATUSES = ["DRAFT", "SCHEDULED", "SENT"] as const satisfies readonly CampaignStatus[];

/** Every campaign with its figures, the newest first. */
export default function CampaignsScreen() {
  const { campaigns } = useTexts();
  const [filters, setFilters] = useAddress(FILTERS);
  const pages = useCampaigns(filters);
  const isNew = pages.items?.length === 0 && filters.q === "" && filters.status === "";
  const none = isNew ? (
    <EmptyState title={campaigns.none} says={campaigns.noneSays} action={<NewButton />} />
  ) : (
    <NoneFits onShowAll={() => setFilters(FILTERS)} />
  );
  return (
    <Page title={campaigns.title} actions={!isNew && <NewButton />}>
      {!isNew && <Filters filters={filters} onChange={setFilters} />}
      <Paged pages={pages} empty={none}>
        {(all) => <CampaignRows campaigns={all} />}
      </Paged>
    </Page>
  );
}

function NewButton() {
  const { campaigns } = useTexts();
  if (!useSession().may("editor")) return null;
  return (
    <Button component={Link} href="/campaigns/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {campaigns.new}
    </Button>
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
  return (
    <Group className="campaigns-filters">
      <NameSearch label={campaigns.search} value={filters.q} onSearch={(q) => onChange({ q })} />
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
