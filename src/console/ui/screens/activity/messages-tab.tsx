import { Group, Select } from "@mantine/core";
import { Link } from "wouter";
import type { Message, MessageState } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useAddress } from "../../frame/use-address.ts";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { AddressSearch } from "../../parts/lists/address-search.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { OUTCOME_TONES } from "../../parts/outcome.ts";
import { Paged } from "../../parts/lists/paged.tsx";
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

/** The mails that programs sent to single people, with their outcomes; or one of them, with its history. */
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
    <DataTable
      items={messages}
      keyOf={({ id }) => id}
      columns={[
        {
          label: columns.email,
          kind: "long",
          cell: ({ id, email }) => <Link href={`/activity?tab=messages&message=${id}`}>{email}</Link>,
        },
        {
          label: columns.state,
          cell: ({ state }) => <StatusWord tone={OUTCOME_TONES[state]}>{report.states[state]}</StatusWord>,
        },
        { label: columns.why, kind: "long", cell: (message) => <OutcomeReason message={message} /> },
        { label: columns.tags, kind: "long", cell: ({ tags }) => tags.join(", ") },
        { label: columns.at, kind: "when", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
      ]}
    />
  );
}
