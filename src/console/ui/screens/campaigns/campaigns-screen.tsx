import { Group, Select } from "@mantine/core";
import type { Campaign, CampaignStatus } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useAddress } from "../../frame/use-address.ts";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { NameSearch } from "../../parts/name-search.tsx";
import { Page } from "../../parts/page.tsx";
import { NewLink } from "../../parts/lists/new-link.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { NothingFits } from "../../parts/states/nothing-fits.tsx";
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
  const button = <NewLink href="/campaigns/new" label={campaigns.new} />;
  const isNew = pages.items?.length === 0 && filters.q === "" && filters.status === "";
  const none = isNew ? (
    <EmptyState title={campaigns.none} says={campaigns.noneSays} action={button} />
  ) : (
    <NothingFits texts={campaigns} onShowAll={() => setFilters(FILTERS)} />
  );
  return (
    <Page title={campaigns.title} actions={!isNew && button}>
      {!isNew && <Filters filters={filters} onChange={setFilters} />}
      <Paged pages={pages} empty={none}>
        {(all) => <CampaignRows campaigns={all} />}
      </Paged>
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
