import { Modal, MultiSelect, Select, Stack, UnstyledButton, type SelectProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { CampaignCheck, ContactList, Segment } from "../../../api/api.gen.ts";
import { LOADED_MAX } from "../../../api/pages.ts";
import { loadErrorOf } from "../../../api/query.ts";
import { useFormat } from "../../../frame/format.ts";
import { NOT_LOADED, type Choice } from "../../../audience/choices.ts";
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
  const [typed, setTyped] = useState("");
  const lists = useLists(draft, typed);
  const segments = useSegments();
  const error = loadErrorOf(lists) ?? loadErrorOf(segments);
  const retry = (): void => void Promise.all([lists.refetch(), segments.refetch()]);
  if (error) return <LoadError error={error} retry={retry} />;
  const chosen = lists.data?.find(({ id }) => id === draft.listId);
  const shared = { draft, set, isReadOnly, lists: lists.data, segments: segments.data, onSearch: setTyped };
  return (
    <Stack gap="xs">
      {lists.data?.length === 0 && !isReadOnly ? (
        <FirstList onMade={(listId) => set({ listId })} />
      ) : (
        <ListChoice {...shared} />
      )}
      {chosen?.contactCount === 0 && !isReadOnly && <EmptyList listId={chosen.id} />}
      <SegmentChoice {...shared} />
      <LeftOut {...shared} />
      <Counted campaignId={campaignId} check={check} onList={chosen?.contactCount ?? null} draft={draft} />
    </Stack>
  );
}

type ChoiceProps = Pick<Props, "draft" | "set" | "isReadOnly"> & {
  /** Undefined: not loaded yet. */
  readonly lists: readonly ContactList[] | undefined;
  readonly segments: readonly Segment[] | undefined;
  /** Lists are looked for on the server too, where there are very many. */
  readonly onSearch: (typed: string) => void;
};

function ListChoice({ draft, set, isReadOnly, lists, onSearch }: ChoiceProps) {
  const { sending } = useTexts();
  return (
    <OneChoice
      label={sending.list}
      none={sending.noList}
      readOnly={isReadOnly}
      data={optionsOf(lists)}
      onSearchChange={onSearch}
      value={draft.listId}
      onChange={(listId) => set({ listId })}
    />
  );
}

function SegmentChoice({ draft, set, isReadOnly, segments }: ChoiceProps) {
  const { sending, rules } = useTexts();
  const options = optionsOf(segments, draft.segmentId === null ? [] : [draft.segmentId], rules.gone);
  if (options.length === 0 && draft.segmentId === null) return null;
  return (
    <OneChoice
      label={sending.segment}
      none={sending.noSegment}
      readOnly={isReadOnly}
      data={options}
      value={draft.segmentId}
      onChange={(segmentId) => set({ segmentId })}
    />
  );
}

type OneChoiceProps = SelectProps & {
  /** What no choice is called. */
  readonly none: string;
};

/** The name of what is chosen may not be loaded yet: then it must not look like no choice. */
const OneChoice = ({ none, ...props }: OneChoiceProps) => (
  <Select {...props} placeholder={props.value === null ? none : NOT_LOADED} searchable clearable />
);

function LeftOut({ draft, set, isReadOnly, lists, segments, onSearch }: ChoiceProps) {
  const { sending, rules } = useTexts();
  const { excludeListIds, excludeSegmentIds } = draft;
  // Of more lists than are loaded, one that is not there yet may only be on its way.
  const areAllThere = lists !== undefined && lists.length < LOADED_MAX;
  const listOptions = optionsOf(lists, excludeListIds, areAllThere ? rules.gone : NOT_LOADED);
  const isList = (id: string) => listOptions.some(({ value }) => value === id);
  return (
    <MultiSelect
      label={sending.exclude}
      {...(excludeListIds.length + excludeSegmentIds.length > 0 ? {} : { placeholder: sending.excludeHint })}
      searchable
      clearable
      readOnly={isReadOnly}
      data={[
        { group: sending.lists, items: listOptions },
        { group: sending.segments, items: optionsOf(segments, excludeSegmentIds, rules.gone) },
      ]}
      onSearchChange={onSearch}
      value={[...excludeListIds, ...excludeSegmentIds]}
      onChange={(ids) =>
        set({ excludeListIds: ids.filter(isList), excludeSegmentIds: ids.filter((id) => !isList(id)) })
      }
    />
  );
}

/**
 * What can be chosen, and what is chosen all the same. One that was deleted stays in its own field: the server knows
 * it there, and nowhere else.
 */
function optionsOf(
  loaded: readonly Choice[] | undefined,
  named: readonly string[] = [],
  called = NOT_LOADED,
) {
  const options = (loaded ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const known = new Set(options.map(({ value }) => value));
  const others = named.filter((id) => !known.has(id));
  return [
    ...options,
    ...others.map((value) => ({ value, label: loaded === undefined ? NOT_LOADED : called })),
  ];
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
