import { Button, Group, Select, Table, Text, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { CampaignReport, Delivery } from "../../api/api.gen.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { AddressSearch } from "../../parts/lists/address-search.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { None } from "../../parts/numbers.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { OUTCOME_TONES, useOutcomeWords } from "../../parts/outcome.ts";
import { sayRefusal } from "../../parts/saving/undo.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { exportDeliveries, useDeliveries, type DeliveryFilter } from "./queries.ts";
import { Reasons } from "./reasons.tsx";

type Props = { readonly id: string; readonly report: CampaignReport };

const STATES = ["SENT", "BOUNCED", "FAILED", "UNCERTAIN", "SKIPPED", "QUEUED", "SENDING"] as const;

const NOTHING_CHOSEN = { state: "", reason: "", email: "" };

/** Who got it and who did not, with the reason. People can be searched. */
export function Outcomes({ id, report }: Props) {
  const { report: texts, sending } = useTexts();
  const { may } = useSession();
  const [{ state: chosen, reason, email }, setAddress] = useAddress(NOTHING_CHOSEN);
  const state = STATES.find((one) => one === chosen) ?? null;
  const filter = { state, reason, email };
  return (
    <section aria-labelledby="outcomes">
      <Title order={2} id="outcomes">
        {texts.outcomes}
      </Title>
      <Text c="dimmed" mb="sm">
        {texts.outcomesSays}
      </Text>
      <Reasons report={report} onChoose={(next) => setAddress({ ...next, email: "" })} />
      <Group className="campaigns-filters" mt="md">
        <AddressSearch value={email} onSearch={(next) => setAddress({ email: next })} />
        <Select
          aria-label={texts.outcomes}
          allowDeselect={false}
          value={state ?? ""}
          onChange={(next) => setAddress({ state: next ?? "", reason: "" })}
          data={[
            { value: "", label: texts.all },
            ...STATES.map((value) => ({ value, label: texts.states[value] })),
          ]}
        />
        {reason !== "" && (
          <Button
            size="compact-sm"
            variant="light"
            rightSection={<IconX size={14} aria-hidden />}
            aria-label={texts.anyReason}
            onClick={() => setAddress({ reason: "" })}
          >
            {sending.reasons[reason] ?? reason}
          </Button>
        )}
        {may("editor") && <Download id={id} filter={filter} />}
      </Group>
      <People id={id} filter={filter} />
    </section>
  );
}

function Download({ id, filter }: PeopleProps) {
  const { report } = useTexts();
  const downloading = useMutation({ mutationFn: () => exportDeliveries(id, filter), onError: sayRefusal });
  return (
    <Button variant="default" loading={downloading.isPending} onClick={() => downloading.mutate()}>
      {report.download}
    </Button>
  );
}

type PeopleProps = { readonly id: string; readonly filter: DeliveryFilter };

function People({ id, filter }: PeopleProps) {
  const { report } = useTexts();
  const none = <EmptyState title={report.noOne} says={report.noOneSays} />;
  return (
    <Paged pages={useDeliveries(id, filter)} empty={none}>
      {(deliveries) => <PeopleTable deliveries={deliveries} />}
    </Paged>
  );
}

function PeopleTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const { report, campaigns } = useTexts();
  return (
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
        {deliveries.map((delivery) => (
          <PersonRow key={delivery.email} delivery={delivery} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function PersonRow({ delivery }: { readonly delivery: Delivery }) {
  const { report, fromServer } = useTexts();
  const wordsOf = useOutcomeWords();
  const { quantity } = useFormat();
  const { email, state, reason, detail, smtpReply, attempts, sentAt } = delivery;
  return (
    <Table.Tr>
      <Table.Td className="report-address">{email}</Table.Td>
      <Table.Td>
        <StatusWord tone={OUTCOME_TONES[state]}>{report.states[state]}</StatusWord>
      </Table.Td>
      <Table.Td>
        {wordsOf(state, reason)}
        {detail !== undefined && <p className="report-reply">{fromServer(detail)}</p>}
        {smtpReply !== null && state !== "SENT" && (
          <p className="report-reply">
            {report.answer}: {smtpReply} ({report.attempts(quantity(attempts))})
          </p>
        )}
      </Table.Td>
      <Table.Td>{sentAt === null ? <None /> : <RelativeTime at={sentAt} />}</Table.Td>
    </Table.Tr>
  );
}
