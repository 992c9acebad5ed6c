import { Button, Group, Select, Table, Text, Title } from "@mantine/core";
import type { CampaignReport, Delivery, DeliveryState } from "../../api/api.gen.ts";
import { useAddress } from "../../frame/use-address.ts";
import { AddressSearch } from "../../parts/address-search.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Count } from "../../parts/numbers.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { OUTCOME_TONES } from "../../parts/outcome-tones.ts";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { useDeliveries } from "./queries.ts";

type Props = { readonly id: string; readonly report: CampaignReport };

const STATES = ["SENT", "BOUNCED", "FAILED", "UNCERTAIN", "SKIPPED", "QUEUED", "SENDING"] as const;

/** Who got it and who did not, with the reason; each person can be searched. */
export function Outcomes({ id, report }: Props) {
  const { report: texts } = useTexts();
  const [{ state: chosen, email }, setAddress] = useAddress({ state: "", email: "" });
  const state = STATES.find((one) => one === chosen) ?? null;
  return (
    <section aria-labelledby="outcomes">
      <Title order={2} id="outcomes">
        {texts.outcomes}
      </Title>
      <Text c="dimmed" mb="sm">
        {texts.outcomesSays}
      </Text>
      <NotDelivered report={report} onState={(next) => setAddress({ state: next, email: "" })} />
      <Group className="campaigns-filters" mt="md">
        <AddressSearch value={email} onSearch={(next) => setAddress({ email: next })} />
        <Select
          aria-label={texts.outcomes}
          allowDeselect={false}
          value={state ?? ""}
          onChange={(next) => setAddress({ state: next ?? "" })}
          data={[
            { value: "", label: texts.all },
            ...STATES.map((value) => ({ value, label: texts.states[value] })),
          ]}
        />
      </Group>
      <People id={id} state={state} email={email} />
    </section>
  );
}

type NotDeliveredProps = {
  readonly report: CampaignReport;
  readonly onState: (state: DeliveryState) => void;
};

/** Why somebody did not get it, the most common reason first. */
function NotDelivered({ report, onState }: NotDeliveredProps) {
  const { report: texts, sending } = useTexts();
  const rows: { state: DeliveryState; says: string; count: number }[] = [
    { state: "BOUNCED" as const, says: texts.stateSays.BOUNCED, count: report.bounced },
    { state: "FAILED" as const, says: texts.stateSays.FAILED, count: report.failed },
    { state: "UNCERTAIN" as const, says: texts.stateSays.UNCERTAIN, count: report.uncertain },
    ...Object.entries(report.skipped).map(([reason, count]) => {
      return { state: "SKIPPED" as const, says: sending.reasons[reason] ?? reason, count };
    }),
  ];
  const shown = rows.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  if (shown.length === 0) return null;
  return (
    <ul className="report-reasons">
      {shown.map(({ state, says, count }) => (
        <li key={`${state} ${says}`}>
          <Count value={count} />
          <StatusWord tone={OUTCOME_TONES[state]}>{texts.states[state]}</StatusWord>
          <span className="report-says">{says}</span>
          <Button size="compact-xs" variant="subtle" onClick={() => onState(state)}>
            {texts.people}
          </Button>
        </li>
      ))}
    </ul>
  );
}

type PeopleProps = { readonly id: string; readonly state: DeliveryState | null; readonly email: string };

function People({ id, state, email }: PeopleProps) {
  const { report, campaigns } = useTexts();
  const found = useDeliveries(id, state, email);
  if (found.error) return <LoadError error={found.error} retry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading />;
  const all = found.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) return <EmptyState title={report.noOne} says={report.noOneSays} />;
  return (
    <>
      <Table className="report-people">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{report.person}</Table.Th>
            <Table.Th>{campaigns.state}</Table.Th>
            <Table.Th>{report.why}</Table.Th>
            <Table.Th>{report.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {all.map((delivery) => (
            <PersonRow key={delivery.email} delivery={delivery} />
          ))}
        </Table.Tbody>
      </Table>
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

function PersonRow({ delivery }: { readonly delivery: Delivery }) {
  const { report, sending, fromServer } = useTexts();
  const { email, state, reason, detail, smtpReply, attempts, sentAt } = delivery;
  const says = reason === null ? report.stateSays[state] : (sending.reasons[reason] ?? reason);
  return (
    <Table.Tr>
      <Table.Td className="report-address">{email}</Table.Td>
      <Table.Td>
        <StatusWord tone={OUTCOME_TONES[state]}>{report.states[state]}</StatusWord>
      </Table.Td>
      <Table.Td>
        {says}
        {detail !== undefined && <p className="report-reply">{fromServer(detail)}</p>}
        {smtpReply !== null && state !== "SENT" && (
          <p className="report-reply">
            {report.answer}: {smtpReply} ({report.attempts(attempts)})
          </p>
        )}
      </Table.Td>
      <Table.Td>{sentAt === null ? "–" : <RelativeTime at={sentAt} />}</Table.Td>
    </Table.Tr>
  );
}
