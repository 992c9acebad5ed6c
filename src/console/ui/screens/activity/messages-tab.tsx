import { Group, Select, Table } from "@mantine/core";
import { Link } from "wouter";
import type { Message, MessageState } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useAddress } from "../../frame/use-address.ts";
import { AddressSearch } from "../../parts/address-search.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { OUTCOME_TONES } from "../../parts/outcome-tones.ts";
import { Paged } from "../../parts/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { MessageDetail } from "./message-detail.tsx";
import { OutcomeReason } from "./outcome-reason.tsx";

const STATES = [
  "SENT",
  "BOUNCED",
  "FAILED",
  "UNCERTAIN",
  "SKIPPED",
  "QUEUED",
] as const satisfies readonly MessageState[];
const DEFAULTS = { message: "", email: "", state: "" };

/** What programs sent to single people, and what became of it; one message, with its story. */
export function MessagesTab() {
  const [{ message: id }] = useAddress(DEFAULTS);
  return id === "" ? <MessageList /> : <MessageDetail key={id} id={id} />;
}

function MessageList() {
  const { activity } = useTexts();
  const { messages: texts } = activity;
  const [{ email, state: chosen }, setAddress] = useAddress(DEFAULTS);
  const state = STATES.find((known) => known === chosen);
  const pages = useMessages(email, state);
  const isFiltered = email !== "" || state !== undefined;
  const empty = isFiltered ? (
    <EmptyState title={activity.nothingFits} says={activity.nothingFitsSays} />
  ) : (
    <EmptyState title={texts.none} says={texts.noneSays} />
  );
  const isEmpty = pages.items?.length === 0 && !isFiltered;
  return (
    <>
      {!isEmpty && <Filters email={email} state={state ?? ""} onChange={(next) => setAddress(next)} />}
      <Paged pages={pages} empty={empty}>
        {(items) => <MessageTable messages={items} />}
      </Paged>
    </>
  );
}

type FiltersProps = {
  readonly email: string;
  readonly state: string;
  readonly onChange: (next: { email?: string; state?: string }) => void;
};

function Filters({ email, state, onChange }: FiltersProps) {
  const { activity, report } = useTexts();
  return (
    <Group mb="md" gap="sm">
      <AddressSearch value={email} onSearch={(next) => onChange({ email: next })} />
      <Select
        aria-label={activity.messages.filter}
        allowDeselect={false}
        data={[
          { value: "", label: activity.all },
          ...STATES.map((value) => ({ value, label: report.states[value] })),
        ]}
        value={state}
        onChange={(next) => onChange({ state: next ?? "" })}
      />
    </Group>
  );
}

const useMessages = (email: string, state: MessageState | undefined) =>
  usePages<Message>(
    ["messages", email, state ?? ""],
    ({ query, signal }) => {
      const filters = { ...(email === "" ? {} : { email }), ...(state === undefined ? {} : { state }) };
      return ok(api.GET("/api/v1/messages", { params: { query: { ...query, ...filters } }, signal }));
    },
    (message) => message.state === "QUEUED",
  );

function MessageTable({ messages }: { readonly messages: readonly Message[] }) {
  const { activity, report } = useTexts();
  const { columns } = activity.messages;
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {Object.entries(columns).map(([name, label]) => (
              <Table.Th key={name}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {messages.map((message) => (
            <Table.Tr key={message.id}>
              <Table.Td className="activity-long">
                <Link href={`/activity?tab=messages&message=${message.id}`}>{message.email}</Link>
              </Table.Td>
              <Table.Td>
                <StatusWord tone={OUTCOME_TONES[message.state]}>{report.states[message.state]}</StatusWord>
              </Table.Td>
              <Table.Td className="activity-long">
                <OutcomeReason message={message} />
              </Table.Td>
              <Table.Td className="activity-long">{message.tags.join(", ")}</Table.Td>
              <Table.Td className="activity-when">
                <RelativeTime at={message.createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
