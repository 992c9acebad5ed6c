import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { loadErrorOf } from "../../api/query.ts";
import { RuleBuilder } from "../../audience/rule-builder.tsx";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useShortcut } from "../../frame/shortcuts.ts";
import { useIsPhone } from "../../frame/use-is-phone.ts";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NameSearch } from "../../parts/name-search.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { useChoosing, type Choosing } from "./choosing.ts";
import { ColumnChoice } from "./column-choice.tsx";
import { useContactFilter, type ContactFilter } from "./contact-filter.ts";
import { useContactPages } from "./contact-pages.ts";
import { ContactTable } from "./contact-table.tsx";
import type { Chosen } from "./many.ts";
import { useForgetsResult, useMany } from "./many-in-force.ts";
import { ManyBar } from "./many-bar.tsx";
import { ManyProgress } from "./many-progress.tsx";
import { NewContact } from "./new-contact.tsx";
import { SaveSegment } from "./save-segment.tsx";
import { rulesWithout, rulesWithSearch } from "./search-rules.ts";

/** Everybody in the workspace: search, filter, and change many at once. */
export default function ContactsScreen() {
  const { contacts } = useTexts();
  const { may } = useSession();
  const [isAdding, setAdding] = useState(false);
  useShortcut("n", contacts.add, () => may("editor") && setAdding(true));
  const filter = useContactFilter();
  const { q, rules, columns } = filter;
  const showsOpened = useShowsOpened(filter);
  useForgetsResult();
  const pages = useContactPages({ q, rules, withAttributes: columns.length > 0, withOpened: showsOpened });
  const isNew = pages.query.isSuccess && pages.total === 0 && q === "" && rules === null;
  return (
    <Page
      title={contacts.title}
      wide
      {...(may("editor")
        ? {
            actions: (
              <>
                <Button variant="default" onClick={() => setAdding(true)}>
                  {contacts.add}
                </Button>
                {!isNew && <ImportButton />}
              </>
            ),
          }
        : {})}
    >
      {isNew ? <Empty /> : <People filter={filter} pages={pages} showsOpened={showsOpened} />}
      <NewContact opened={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}

/** A workspace without people, perhaps because all of them were just deleted. */
function Empty() {
  const { contacts } = useTexts();
  const { may } = useSession();
  const many = useMany();
  return (
    <div className="contacts">
      {many.progress && (
        <div className="contacts-found">
          <ManyProgress many={many} progress={many.progress} />
        </div>
      )}
      <EmptyState
        title={contacts.empty}
        says={contacts.emptySays}
        action={may("editor") && <ImportButton />}
      />
    </div>
  );
}

/** On a phone there is no room for the column, and what it would show is not asked for. */
function useShowsOpened({ showsOpened }: ContactFilter): boolean {
  const isPhone = useIsPhone();
  return showsOpened && !isPhone;
}

function ImportButton() {
  const { contacts } = useTexts();
  return (
    <Button component={Link} href="/imports/new">
      {contacts.import}
    </Button>
  );
}

type PeopleProps = {
  readonly filter: ContactFilter;
  readonly pages: ReturnType<typeof useContactPages>;
  readonly showsOpened: boolean;
};

function People({ filter, pages, showsOpened }: PeopleProps) {
  const { may } = useSession();
  const { q, rules, columns } = filter;
  const choosing = useChoosing(JSON.stringify([q, rules]));
  const { isPending, refetch } = pages.query;
  const error = loadErrorOf(pages.query);
  return (
    <div className="contacts">
      <FilterLine filter={filter} />
      <ManyLine
        filter={filter}
        choosing={choosing}
        total={isPending || error !== null ? null : pages.total}
      />
      {error ? (
        <LoadError error={error} retry={() => void refetch()} />
      ) : isPending ? (
        <Loading lines={8} />
      ) : pages.total === 0 ? (
        <NobodyFits filter={filter} />
      ) : (
        <ContactTable
          key={JSON.stringify([q, rules])}
          pages={pages}
          columns={columns}
          showsOpened={showsOpened}
          choosing={may("editor") ? choosing : null}
        />
      )}
      <MoreFailed failed={pages.failed} />
    </div>
  );
}

/** Rows that somebody scrolls to could not be loaded; those before them stay. */
function MoreFailed({ failed }: Pick<PeopleProps["pages"], "failed">) {
  return failed && <LoadError error={failed.error} retry={failed.again} />;
}

type ManyLineProps = {
  readonly filter: ContactFilter;
  readonly choosing: Choosing;
  /** How many fit; null while it is not known. */
  readonly total: number | null;
};

/** How many fit, the actions for those who are chosen, and their progress: all in one line, so that nothing jumps. */
function ManyLine({ filter, choosing, total }: ManyLineProps) {
  const { contacts } = useTexts();
  const { quantity } = useFormat();
  const many = useMany();
  const chosen = chosenOf(filter, choosing);
  const isWorking = many.progress?.isOver === false;
  if (total !== null && choosing.count(total) > 0 && !isWorking)
    return (
      <>
        <ManyBar
          choosing={choosing}
          total={total}
          chosen={chosen}
          run={(action, count) => {
            choosing.none();
            void many.run(chosen, action, count);
          }}
        />
        {/* People may have been chosen while it still ran. */}
        {many.progress !== null && many.progress.error !== null && (
          <div className="contacts-found">
            <ManyProgress many={many} progress={many.progress} />
          </div>
        )}
      </>
    );
  return (
    <div className="contacts-found">
      <span role="status" className="count">
        {total !== null && contacts.count(quantity(total))}
      </span>
      {many.progress ? <ManyProgress many={many} progress={many.progress} /> : <SaveButton filter={filter} />}
    </div>
  );
}

function chosenOf({ rules, q }: ContactFilter, { isAll, ids, except }: Choosing): Chosen {
  return isAll
    ? { rules: rulesWithout(rulesWithSearch(rules, q), [...except.values()]) }
    : { contactIds: [...ids] };
}

function NobodyFits({ filter }: { readonly filter: ContactFilter }) {
  const { contacts } = useTexts();
  return (
    <EmptyState
      title={contacts.nobody}
      says={contacts.nobodySays}
      action={
        <Button variant="default" onClick={filter.clear}>
          {contacts.clear}
        </Button>
      }
    />
  );
}

function FilterLine({ filter }: { readonly filter: ContactFilter }) {
  const { contacts } = useTexts();
  return (
    <div className="contacts-filter">
      <div className="contacts-find">
        <NameSearch label={contacts.search} value={filter.q} onSearch={filter.setSearch} />
        <ColumnChoice filter={filter} />
      </div>
      <RuleBuilder draft={filter.draft} onChange={filter.setDraft} />
    </div>
  );
}

function SaveButton({ filter }: { readonly filter: ContactFilter }) {
  const { contacts } = useTexts();
  const { may } = useSession();
  const [isSaving, setSaving] = useState(false);
  if (filter.rules === null || !may("editor")) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setSaving(true)}>
        {contacts.saveSegment}
      </Button>
      <SaveSegment
        opened={isSaving}
        onClose={() => setSaving(false)}
        rules={rulesWithSearch(filter.rules, filter.q)}
      />
    </>
  );
}
