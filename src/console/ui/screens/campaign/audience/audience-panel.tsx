import { Modal, MultiSelect, Select, Stack, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { CampaignCheck } from "../../../api/api.gen.ts";
import { loadErrorOf } from "../../../api/query.ts";
import { useFormat } from "../../../frame/format.ts";
import { FirstList } from "../../../audience/first-list.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import type { Draft, SetDraft } from "../draft/draft-fields.ts";
import { durationOf } from "../sending/duration.ts";
import { EmptyList } from "./empty-list.tsx";
import { useLists, useSegments } from "../queries.ts";
import { WhyNot } from "./why-not-people.tsx";

type Props = {
  readonly campaignId: string;
  readonly draft: Draft;
  readonly set: SetDraft;
  readonly check: CampaignCheck | undefined;
  readonly isReadOnly: boolean;
};

/** Who gets it, and how many people that is now. */
export function AudiencePanel({ campaignId, draft, set, check, isReadOnly }: Props) {
  const { sending } = useTexts();
  const lists = useLists();
  const segments = useSegments();
  const error = loadErrorOf(lists) ?? loadErrorOf(segments);
  const retry = (): void => void Promise.all([lists.refetch(), segments.refetch()]);
  if (error) return <LoadError error={error} retry={retry} />;
  const listOptions = (lists.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const segmentOptions = (segments.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const chosen = lists.data?.find(({ id }) => id === draft.listId);
  // One that was deleted stays in its own field: the server knows it there, and nowhere else.
  const isList = (id: string) =>
    draft.excludeListIds.includes(id) || listOptions.some(({ value }) => value === id);
  return (
    <Stack gap="xs">
      {lists.data?.length === 0 && !isReadOnly ? (
        <FirstList onMade={(listId) => set({ listId })} />
      ) : (
        <ListChoice options={listOptions} draft={draft} set={set} isReadOnly={isReadOnly} />
      )}
      {chosen?.contactCount === 0 && !isReadOnly && <EmptyList listId={chosen.id} />}
      {(segmentOptions.length > 0 || draft.segmentId !== null) && (
        <Select
          label={sending.segment}
          placeholder={sending.noSegment}
          searchable
          clearable
          readOnly={isReadOnly}
          data={segmentOptions}
          value={draft.segmentId}
          onChange={(segmentId) => set({ segmentId })}
        />
      )}
      <MultiSelect
        label={sending.exclude}
        {...(draft.excludeListIds.length + draft.excludeSegmentIds.length > 0
          ? {}
          : { placeholder: sending.excludeHint })}
        searchable
        clearable
        readOnly={isReadOnly}
        data={[
          { group: sending.lists, items: listOptions },
          { group: sending.segments, items: segmentOptions },
        ]}
        value={[...draft.excludeListIds, ...draft.excludeSegmentIds]}
        onChange={(ids) =>
          set({ excludeListIds: ids.filter(isList), excludeSegmentIds: ids.filter((id) => !isList(id)) })
        }
      />
      <Counted campaignId={campaignId} check={check} onList={chosen?.contactCount ?? null} draft={draft} />
    </Stack>
  );
}

type ListProps = Pick<Props, "draft" | "set" | "isReadOnly"> & {
  readonly options: { readonly value: string; readonly label: string }[];
};

function ListChoice({ options, draft, set, isReadOnly }: ListProps) {
  const { sending } = useTexts();
  return (
    <Select
      label={sending.list}
      placeholder={sending.noList}
      searchable
      clearable
      readOnly={isReadOnly}
      data={options}
      value={draft.listId}
      onChange={(listId) => set({ listId })}
    />
  );
}

type CountedProps = {
  readonly campaignId: string;
  readonly check: CampaignCheck | undefined;
  /** How many are on the list, whatever their status; null without a list. */
  readonly onList: number | null;
  readonly draft: Draft;
};

function Counted({ campaignId, check, onList, draft }: CountedProps) {
  const { sending } = useTexts();
  const { quantity } = useFormat();
  const [isOpen, dialog] = useDisclosure(false);
  if (draft.listId === null && draft.segmentId === null)
    return <p className="audience-count">{sending.noOne}</p>;
  if (check === undefined) return <p className="audience-count">{sending.counting}</p>;
  const left = leftOut(check, draft.segmentId === null ? onList : null);
  const total = left.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="audience-count" aria-live="polite">
      <strong>{sending.people(quantity(check.recipients))}</strong>
      {check.recipients > 0 && (
        <span> · {sending.takes(durationOf(check.estimatedSeconds, { words: sending, quantity }))}</span>
      )}
      {total > 0 && (
        <UnstyledButton className="audience-why" onClick={dialog.open}>
          {sending.whyNot(quantity(total))}
        </UnstyledButton>
      )}
      <Modal opened={isOpen} onClose={dialog.close} title={sending.whyNotTitle}>
        <WhyNot campaignId={campaignId} left={left} />
      </Modal>
    </div>
  );
}

/** The reasons with the most people first. Unsubscribed people on the list are not asked for: they are the rest of it. */
function leftOut({ recipients, skipped }: CampaignCheck, onList: number | null) {
  const reasons = Object.entries(skipped).map(([reason, count]) => ({ reason, count }));
  const known = reasons.reduce((sum, { count }) => sum + count, recipients);
  const others = onList === null ? 0 : onList - known;
  const all = others > 0 ? [...reasons, { reason: "NOT_SUBSCRIBED", count: others }] : reasons;
  return all.toSorted((a, b) => b.count - a.count);
}
