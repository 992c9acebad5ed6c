import { Group, SegmentedControl } from "@mantine/core";
import { Link } from "wouter";
import type { Enrollment, EnrollmentStatus } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { nodeById } from "../../flow/flow.ts";
import { nodeTitle } from "../../flow/node-words.ts";
import { useAddress } from "../../frame/use-address.ts";
import { AddressSearch } from "../../parts/lists/address-search.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { None } from "../../parts/numbers.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord, type Tone } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { useEditor } from "./editor.tsx";

const STATUSES = ["ACTIVE", "COMPLETED", "FAILED"] as const satisfies readonly EnrollmentStatus[];
const TONES: Readonly<Record<EnrollmentStatus, Tone>> = { ACTIVE: "busy", COMPLETED: "good", FAILED: "bad" };
const DEFAULTS = { state: "", email: "" };

function useEnrollments(state: string, email: string) {
  const { automationId: id } = useEditor();
  const status = STATUSES.find((known) => known === state);
  return usePages(["automations", id, "people", status ?? "", email], ({ query: place, signal }) => {
    const query = {
      ...place,
      limit: 50,
      include: "email" as const,
      ...(status === undefined ? {} : { status }),
      ...(email === "" ? {} : { email }),
    };
    return ok(api.GET("/api/v1/automations/{id}/enrollments", { params: { path: { id }, query }, signal }));
  });
}

/** The people in it, where they are, and what stopped them. */
export function PeopleTab() {
  const { wording } = useEditor();
  const { people } = wording.texts;
  const [{ state, email }, setAddress] = useAddress(DEFAULTS);
  const pages = useEnrollments(state, email);
  const isFiltered = state !== "" || email !== "";
  const empty = isFiltered ? (
    <EmptyState title={people.noneFound} says="" />
  ) : (
    <EmptyState title={people.none} says={people.noneSays} />
  );
  return (
    <>
      <Filters state={state} email={email} set={setAddress} />
      <Paged pages={pages} empty={empty}>
        {(rows) => <PeopleTable rows={rows} />}
      </Paged>
    </>
  );
}

type FiltersProps = {
  readonly state: string;
  readonly email: string;
  readonly set: (change: Partial<typeof DEFAULTS>) => void;
};

function Filters({ state, email, set }: FiltersProps) {
  const { texts } = useEditor().wording;
  return (
    <Group mb="md" align="flex-start">
      <SegmentedControl
        aria-label={texts.filter}
        data={[
          { value: "", label: texts.all },
          ...STATUSES.map((value) => ({ value, label: texts.people.states[value] })),
        ]}
        value={state}
        onChange={(next) => set({ state: next })}
      />
      <AddressSearch value={email} onSearch={(next) => set({ email: next })} />
    </Group>
  );
}

function PeopleTable({ rows }: { readonly rows: readonly Enrollment[] }) {
  const { flow, wording } = useEditor();
  const { people } = wording.texts;
  const { columns } = people;
  const stepOf = ({ currentNodeId }: Enrollment): string => {
    const node = nodeById(flow, currentNodeId);
    return node === undefined ? people.stepGone : nodeTitle(node, wording);
  };
  return (
    <DataTable
      items={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          label: columns.person,
          kind: "long",
          cell: ({ contactId, email }) => <Link href={`/contacts/${contactId}`}>{email ?? contactId}</Link>,
        },
        { label: columns.state, cell: (row) => <Standing row={row} /> },
        { label: columns.at, cell: stepOf },
        { label: columns.since, kind: "when", cell: ({ enrolledAt }) => <RelativeTime at={enrolledAt} /> },
        {
          label: columns.next,
          kind: "when",
          cell: ({ status, nextRunAt }) => (status === "ACTIVE" ? <RelativeTime at={nextRunAt} /> : <None />),
        },
      ]}
    />
  );
}

function Standing({ row: { status, errorMessage } }: { readonly row: Enrollment }) {
  const { people } = useEditor().wording.texts;
  const { fromServer } = useTexts();
  return (
    <>
      <StatusWord tone={TONES[status]}>{people.states[status]}</StatusWord>
      {errorMessage !== null && <p className="automation-person-error">{fromServer(errorMessage)}</p>}
    </>
  );
}
