import { Alert, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Campaign, LetterProblem } from "../../api/api.gen.ts";
import { useSession } from "../../frame/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import type { Person } from "../../letter-editor/preview/contact-picker.tsx";
import { LetterEditor, type Way } from "../../letter-editor/letter-editor.tsx";
import type { SourcePlace } from "../../letter-editor/source/source-field.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/save-state.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { AudiencePanel } from "./audience-panel.tsx";
import { audienceOf, type Draft, type SetDraft } from "./draft.ts";
import { HeadFields } from "./head-fields.tsx";
import { LookPanel } from "./look-panel.tsx";
import { useCheck, usePreview } from "./queries.ts";
import { SendBar } from "./send-bar.tsx";
import { useDraft } from "./use-draft.ts";

/** Everything of a campaign before it goes out: the letter, whom it goes to, how it will look, and the button. */
export function WritingPage({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns, sending } = useTexts();
  const isReadOnly = !useSession().may("editor");
  const { draft, set, status, saver, isRestored, error, retry } = useDraft(campaign.id, isReadOnly);
  const [person, setPerson] = useState<Person | null>(null);
  const check = useCheck(campaign.id, audienceOf(draft), status);
  const preview = usePreview(campaign.id, person?.id ?? null, status.saves);
  if (error) return <LoadError error={error} retry={retry} />;
  if (draft === null) return <Loading />;
  return (
    <Page
      wide
      title={draft.name || campaign.name}
      back={{ href: "/campaigns", label: campaigns.title }}
      beside={<SaveState isSaving={status.isSaving} error={status.error} savedAt={status.savedAt} />}
      actions={
        <SendBar
          campaign={campaign}
          draft={draft}
          check={check.data}
          person={person}
          isUnsaved={status.isUnsaved}
          beforehand={saver.flush}
        />
      }
    >
      {isReadOnly && (
        <Alert color="gray" mb="md">
          {sending.viewer}
        </Alert>
      )}
      {isRestored && (
        <Alert color="blue" mb="md">
          {sending.restored}
        </Alert>
      )}
      <Panels
        campaignId={campaign.id}
        draft={draft}
        set={set}
        isReadOnly={isReadOnly}
        check={check.data}
        preview={preview}
        person={person}
        onPerson={setPerson}
      />
    </Page>
  );
}

type PanelsProps = {
  readonly campaignId: string;
  readonly draft: Draft;
  readonly set: SetDraft;
  readonly isReadOnly: boolean;
  readonly check: ReturnType<typeof useCheck>["data"];
  readonly preview: ReturnType<typeof usePreview>;
  readonly person: Person | null;
  readonly onPerson: (person: Person | null) => void;
};

const WAYS: readonly Way[] = ["blocks", "source", "text"];

function Panels({ campaignId, draft, set, isReadOnly, check, preview, person, onPerson }: PanelsProps) {
  const { campaigns, sending } = useTexts();
  const [{ way: chosen }, setAddress] = useAddress({ way: "" });
  const [place, setPlace] = useState<SourcePlace | null>(null);
  const way = WAYS.find((one) => one === chosen) ?? (draft.format === "mjml" ? "blocks" : "source");
  const goTo = ({ line, column }: LetterProblem) => {
    setAddress({ way: "source" });
    setPlace({ line: line ?? 1, column: column ?? 1 });
  };
  return (
    <div className="writing">
      <div className="writing-letter">
        <TextInput
          label={campaigns.name}
          readOnly={isReadOnly}
          maxLength={200}
          error={draft.name.trim() === "" && sending.nameMissing}
          value={draft.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <HeadFields draft={draft} set={set} isReadOnly={isReadOnly} />
        <LetterEditor
          written={draft}
          onChange={set}
          hasText
          problems={preview.data?.problems ?? []}
          isReadOnly={isReadOnly}
          way={way}
          onWay={(next) => setAddress({ way: next })}
          place={place}
          onTag={() => draft.personalize || set({ personalize: true })}
        />
      </div>
      <aside className="writing-aside" aria-label={sending.to}>
        <section className="panel" aria-labelledby="panel-to">
          <h2 id="panel-to">{sending.to}</h2>
          <AudiencePanel
            campaignId={campaignId}
            draft={draft}
            set={set}
            check={check}
            isReadOnly={isReadOnly}
          />
        </section>
        <LookPanel draft={draft} preview={preview} person={person} onPerson={onPerson} onGo={goTo} />
      </aside>
    </div>
  );
}
