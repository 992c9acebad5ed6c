import { Link } from "wouter";
import type { Bounce } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useAddress } from "../../frame/use-address.ts";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { BounceDetail } from "./bounce-detail.tsx";

const DEFAULTS = { bounce: "" };

/** Mails about failed mail that Postrider could not read; or one of them, with its text. */
export function BouncesTab() {
  const [{ bounce: id }] = useAddress(DEFAULTS);
  return id === "" ? <BounceList /> : <BounceDetail key={id} id={id} />;
}

function BounceList() {
  const { bounces: texts } = useTexts().activity;
  const pages = usePages<Bounce>(["bounces"], ({ query, signal }) =>
    ok(api.GET("/api/v1/bounces", { params: { query }, signal })),
  );
  return (
    <Paged pages={pages} empty={<EmptyState title={texts.none} says={texts.noneSays} />}>
      {(items) => (
        <>
          <p className="activity-notice">{texts.says}</p>
          <DataTable
            items={items}
            keyOf={({ id }) => id}
            columns={[
              {
                label: texts.columns.subject,
                kind: "long",
                cell: ({ id, subject }) => (
                  <Link href={`/activity?tab=bounces&bounce=${id}`}>{subject || texts.noSubject}</Link>
                ),
              },
              { label: texts.columns.from, kind: "long", cell: ({ from }) => from || texts.noFrom },
              {
                label: texts.columns.at,
                kind: "when",
                cell: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
              },
            ]}
          />
        </>
      )}
    </Paged>
  );
}
