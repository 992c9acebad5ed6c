import { Link } from "wouter";
import type { Campaign } from "../../api/api.gen.ts";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { Count, None, Share } from "../../parts/numbers.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { addressOf, stateOf, TONES } from "./campaign-state.ts";

type Props = { readonly campaigns: readonly Campaign[] };

/** Campaigns with their figures. */
export function CampaignRows({ campaigns: all }: Props) {
  const { campaigns } = useTexts();
  const { columns } = campaigns;
  return (
    <DataTable
      items={all}
      keyOf={({ id }) => id}
      columns={[
        { label: columns.name, kind: "long", cell: (campaign) => <Name campaign={campaign} /> },
        { label: columns.state, cell: (campaign) => <State campaign={campaign} /> },
        {
          label: columns.sent,
          kind: "number",
          cell: ({ stat }) => (stat ? <Count value={stat.delivered ?? 0} /> : <None />),
        },
        {
          label: columns.opened,
          kind: "number",
          cell: ({ stat }) => (stat ? <Share part={stat.opened} whole={stat.delivered ?? 0} /> : <None />),
        },
        {
          label: columns.clicked,
          kind: "number",
          cell: ({ stat }) => (stat ? <Share part={stat.clicked} whole={stat.delivered ?? 0} /> : <None />),
        },
        {
          label: columns.when,
          kind: "when",
          cell: ({ sentAt, scheduledAt, createdAt }) => (
            <RelativeTime at={sentAt ?? scheduledAt ?? createdAt} />
          ),
        },
      ]}
    />
  );
}

type OneProps = { readonly campaign: Campaign };

function Name({ campaign }: OneProps) {
  const { name, subject } = campaign;
  return (
    <>
      <Link href={addressOf(campaign)}>{name}</Link>
      {subject !== name && (
        <p className="data-table-says campaign-line" title={subject}>
          {subject}
        </p>
      )}
    </>
  );
}

function State({ campaign }: OneProps) {
  const { campaigns } = useTexts();
  const state = stateOf(campaign);
  return <StatusWord tone={TONES[state]}>{campaigns.states[state]}</StatusWord>;
}
