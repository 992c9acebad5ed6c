import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useRef } from "react";
import { Link } from "wouter";
import type { Contact } from "../../api/api.gen.ts";
import { attributeText } from "../../audience/attribute-text.ts";
import { ContactStatusWord } from "../../audience/contact-status-word.tsx";
import { useFormat } from "../../frame/format.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { ROW_HEIGHT, type useContactPages } from "./contact-pages.ts";
import type { Choosing } from "./choosing.ts";
import { usePicking, type Picker } from "./picking.ts";

/** Rows outside the visible part that are drawn already. */
const OVERSCAN = 8;
/** This many rows before the end of what is loaded, more is loaded, so that fast scrolling shows no gap. */
const AHEAD = 60;

type Props = {
  readonly pages: ReturnType<typeof useContactPages>;
  /** The attributes that have a column. */
  readonly columns: readonly string[];
  readonly showsOpened: boolean;
  /** Null: contacts cannot be chosen. */
  readonly choosing: Choosing | null;
};

/** The contacts, one a row. Only the visible ones are drawn, and only some pages of them are kept. */
export function ContactTable({ pages, columns, showsOpened, choosing }: Props) {
  const { contacts } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const { place, count, at, total } = pages;
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    initialOffset: place.top,
  });
  const shown = rows.getVirtualItems();
  const [firstShown, lastShown] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useMore(pages, firstShown, lastShown);
  const pick = usePicking(at, choosing);
  const style = { "--contacts-more": columns.length + (showsOpened ? 1 : 0) } as React.CSSProperties;
  return (
    <div
      className="contacts-box"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={contacts.table}
      onScroll={({ currentTarget }) => {
        place.top = currentTarget.scrollTop;
      }}
      style={style}
    >
      <div role="table" aria-rowcount={total + 1} aria-label={contacts.table} className="contacts-table">
        <Head columns={columns} showsOpened={showsOpened} choosing={choosing} total={total} />
        <div role="rowgroup" className="contacts-rows" style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, start }) => (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className="contacts-row"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row
                index={index}
                contact={at(index)}
                columns={columns}
                showsOpened={showsOpened}
                isChosen={choosing?.has(at(index)?.id ?? "") === true}
                pick={choosing && pick}
              />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Loads the rows that are soon visible. What could not be loaded waits for the button beside the error. */
function useMore(pages: Props["pages"], firstShown: number, lastShown: number): void {
  const { hasNextPage, hasPreviousPage, isFetching, fetchNextPage, fetchPreviousPage } = pages.query;
  const isFar = pages.isFar(firstShown) && pages.isFar(lastShown);
  useEffect(() => {
    if (pages.failed !== null) return;
    // What is visible does not wait for what is loaded where nobody looks any more.
    if (isFar && !(pages.isAwaited && isFetching)) pages.goTo(Math.floor((firstShown + lastShown) / 2));
    if (isFar || isFetching) return;
    if (lastShown >= pages.until - AHEAD && hasNextPage) void fetchNextPage({ cancelRefetch: false });
    else if (firstShown < pages.from + AHEAD && hasPreviousPage)
      void fetchPreviousPage({ cancelRefetch: false });
  });
}

type HeadProps = Pick<Props, "columns" | "showsOpened" | "choosing"> & { readonly total: number };

function Head({ columns, showsOpened, choosing, total }: HeadProps) {
  const { contacts } = useTexts();
  return (
    <div role="rowgroup" className="contacts-head">
      <div role="row" aria-rowindex={1} className="contacts-line">
        {choosing && <AllBox choosing={choosing} total={total} />}
        <div role="columnheader">{contacts.contact}</div>
        <div role="columnheader">{contacts.status}</div>
        <div role="columnheader" className="contacts-wide">
          {contacts.tags}
        </div>
        {columns.map((name) => (
          <div role="columnheader" className="contacts-wide" title={name} key={name}>
            {name}
          </div>
        ))}
        {showsOpened && (
          <div role="columnheader" className="contacts-wide" title={contacts.lastOpenedSays}>
            {contacts.lastOpened}
          </div>
        )}
        <div role="columnheader" className="contacts-wide">
          {contacts.created}
        </div>
      </div>
    </div>
  );
}

/** Chooses everybody who fits, or nobody. */
function AllBox({ choosing, total }: { readonly choosing: Choosing; readonly total: number }) {
  const { contacts } = useTexts();
  const { quantity } = useFormat();
  const count = choosing.count(total);
  const isSome = count > 0 && count < total;
  return (
    <div role="columnheader" className="contacts-check">
      <input
        type="checkbox"
        aria-label={contacts.chooseAll(quantity(total))}
        checked={count === total}
        ref={(box) => {
          if (box) box.indeterminate = isSome;
        }}
        onChange={() => (count > 0 ? choosing.none() : choosing.all())}
      />
    </div>
  );
}

type RowProps = Pick<Props, "columns" | "showsOpened"> & {
  readonly index: number;
  readonly contact: Contact | undefined;
  readonly isChosen: boolean;
  /** Null: contacts cannot be chosen. */
  readonly pick: Picker | null;
};

/** Drawn again only if something about this row changes: scrolling only moves the others. */
const Row = memo(function Row({ index, contact, columns, showsOpened, isChosen, pick }: RowProps) {
  const { contacts, contact: texts } = useTexts();
  if (contact === undefined)
    return (
      <div role="cell" className="contacts-line contacts-waiting">
        {contacts.more}
      </div>
    );
  const { id, email, firstName, lastName, status, tags, createdAt, attributes, lastOpenedAt } = contact;
  const name = `${firstName} ${lastName}`.trim();
  return (
    <div className="contacts-line" role="presentation" data-chosen={isChosen || undefined}>
      {pick && (
        <div role="cell" className="contacts-check">
          <input
            type="checkbox"
            aria-label={contacts.choose(email)}
            checked={isChosen}
            // React says only that it is an event; browsers tell of a click.
            onChange={({ nativeEvent }) => pick(index, (nativeEvent as MouseEvent).shiftKey)}
          />
        </div>
      )}
      <div role="cell" className="contacts-who">
        <Link href={`/contacts/${id}`} title={email}>
          {email}
        </Link>
        {name !== "" && <span title={name}>{name}</span>}
      </div>
      <div role="cell">
        <ContactStatusWord status={status} />
      </div>
      <div role="cell" className="contacts-wide contacts-cut" title={tags.join(", ")}>
        {tags.map((tag) => (
          <span className="contacts-tag" key={tag}>
            {tag}
          </span>
        ))}
      </div>
      {columns.map((column) => (
        <div role="cell" className="contacts-wide contacts-cut" key={column}>
          {attributeText(attributes, column, texts)}
        </div>
      ))}
      {showsOpened && (
        <div role="cell" className="contacts-wide">
          {lastOpenedAt ? <RelativeTime at={lastOpenedAt} /> : lastOpenedAt === null && contacts.neverOpened}
        </div>
      )}
      <div role="cell" className="contacts-wide">
        <RelativeTime at={createdAt} />
      </div>
    </div>
  );
});
