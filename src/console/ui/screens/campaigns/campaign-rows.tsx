import { Table } from "@mantine/core";
import { Link } from "wouter";
import type { Campaign } from "../../api/api.gen.ts";
import { Count, Share } from "../../parts/numbers.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { addressOf, stateOf, TONES } from "./campaign-state.ts";

type Props = { readonly campaigns: readonly Campaign[] };

/** A table; on a phone each row is a card. */
export function CampaignRows({ campaigns }: Props) {
  const { campaigns: texts } = useTexts();
  const { columns } = texts;
  return (
    <Table className="campaigns-table" verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.name}</Table.Th>
          <Table.Th>{columns.state}</Table.Th>
          <Table.Th ta="right">{columns.sent}</Table.Th>
          <Table.Th ta="right">{columns.opened}</Table.Th>
          <Table.Th ta="right">{columns.clicked}</Table.Th>
          <Table.Th>{columns.when}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {campaigns.map((campaign) => (
          <CampaignRow key={campaign.id} campaign={campaign} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function CampaignRow({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns: texts } = useTexts();
  const { columns } = texts;
  const { name, subject, stat, sentAt, scheduledAt, createdAt } = campaign;
  const state = stateOf(campaign);
  const figure = (label: string, shown: React.ReactNode) => (
    <Table.Td ta="right" data-label={label}>
      {shown}
    </Table.Td>
  );
  return (
    <Table.Tr>
      <Table.Td className="campaigns-name">
        <Link href={addressOf(campaign)}>{name}</Link>
        {subject !== name && <p>{subject}</p>}
      </Table.Td>
      <Table.Td>
        <StatusWord tone={TONES[state]}>{texts.states[state]}</StatusWord>
      </Table.Td>
      {figure(columns.sent, stat ? <Count value={stat.delivered ?? 0} /> : "–")}
      {figure(columns.opened, stat ? <Share part={stat.opened} whole={stat.delivered ?? 0} /> : "–")}
      {figure(columns.clicked, stat ? <Share part={stat.clicked} whole={stat.delivered ?? 0} /> : "–")}
      <Table.Td>
        <RelativeTime at={sentAt ?? scheduledAt ?? createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
