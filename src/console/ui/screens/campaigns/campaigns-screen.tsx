import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { CampaignStatus } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useSession } from "../../frame/session.tsx";
import { useShortcut } from "../../frame/shortcuts.ts";
import { useAddress } from "../../frame/use-address.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Page } from "../../parts/page.tsx";
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

const LIVE_MS = 2_000;

function useCampaigns({ q, status }: Filters) {
  const chosen = STATUSES.find((one) => one === status);
  return useInfiniteQuery({
    queryKey: ["campaigns", "list", q, status],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 30,
        ...(q === "" ? {} : { q }),
        ...(chosen === undefined ? {} : { status: chosen }),
        ...(pageParam === "" ? {} : { cursor: pageParam }),
      };
      return ok(api.GET("/api/v1/campaigns", { params: { query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((one) => stateOf(one) === "SENDING")) ? LIVE_MS : false,
  });
}

function Found({ filters, onShowAll }: { readonly filters: Filters; readonly onShowAll: () => void }) {
  const { campaigns } = useTexts();
  const found = useCampaigns(filters);
  if (found.error) return <LoadError error={found.error} retry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading />;
  const all = found.data.pages.flatMap(({ data }) => data);
  if (all.length === 0)
    return filters.q === "" && filters.status === "" ? <None /> : <NoneFits onShowAll={onShowAll} />;
  return (
    <>
      <CampaignRows campaigns={all} />
      {found.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {campaigns.more}
        </Button>
      )}
    </>
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
