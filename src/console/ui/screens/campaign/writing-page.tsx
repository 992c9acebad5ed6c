import { Alert, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Campaign, LetterProblem } from "../../api/api.gen.ts";
import { ApiError } from "../../api/client.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import type { Person } from "../../letter-editor/preview/contact-picker.tsx";
import { LetterEditor, type Way } from "../../letter-editor/letter-editor.tsx";
import type { SourcePlace } from "../../letter-editor/source/source-field.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { AudiencePanel } from "./audience/audience-panel.tsx";
import { audienceOf } from "./draft/draft.ts";
import type { Draft, SetDraft } from "./draft/draft-fields.ts";
import { Elsewhere } from "./draft/elsewhere.tsx";
import { HeadFields } from "./head-fields.tsx";
import { LookPanel } from "./look-panel.tsx";
import { useCheck, usePreview } from "./queries.ts";
import { SendBar } from "./sending/send-bar.tsx";
import { useDraft } from "./draft/use-draft.ts";

type PageProps = {
  readonly campaign: Campaign;
  /** Whether it was deleted meanwhile. */
  readonly isGone: boolean;
};

/** Everything about a campaign before it goes out: the letter, who gets it, how it will look, and the button. */
export function WritingPage({ campaign, isGone }: PageProps) {
  const { campaigns, sending } = useTexts();
  const isReadOnly = !useSession().may("editor");
  const { draft, set, status, saver, isRestored, settle, error, retry } = useDraft(campaign.id, isReadOnly);
  const [person, setPerson] = useState<Person | null>(null);
  const check = useCheck(campaign.id, audienceOf(draft), status);
  const preview = usePreview(campaign.id, person?.id ?? null, status.saves);
  if (error) return <LoadError error={error} retry={retry} />;
  if (draft === null) return <Loading />;
  const isDeleted = isGone || (status.error instanceof ApiError && status.error.status === 404);
  return (
    <Page
      wide
      title={draft.name || campaign.name}
      back={{ href: "/campaigns", label: campaigns.title }}
      beside={
        !isDeleted && (
          <SaveState
            isSaving={status.isSaving}
            error={named(status.error, sending.fields)}
            savedAt={status.savedAt}
          />
        )
      }
      actions={
        <SendBar
          campaign={campaign}
          draft={draft}
          check={check.data}
          person={person}
          isUnsaved={status.isUnsaved}
          beforehand={() => savedNow(saver)}
        />
      }
    >
      {isReadOnly && (
        <Alert color="gray" mb="md">
          {sending.viewer}
        </Alert>
      )}
      <Elsewhere draft={draft} error={status.error} isGone={isDeleted} settle={settle} />
      {isRestored && (
        <Alert color="blue" mb="md">
          {sending.restored}
        </Alert>
      )}
      <Panels
        campaignId={campaign.id}
        draft={draft}
        set={set}
        refused={status.error}
        isReadOnly={isReadOnly}
        check={check.data}
        preview={preview}
        person={person}
        onPerson={setPerson}
      />
    </Page>
  );
}

/** Throws the reason if it cannot be saved. */
async function savedNow(saver: ReturnType<typeof useDraft>["saver"]): Promise<void> {
  if (!(await saver.flush())) throw saver.status().error ?? new Error("There is more to save.");
}

/** Replaces the API's name of a field in a refusal with its name on the screen. */
function named(error: Error | null, fields: Readonly<Record<string, string>>): Error | null {
  if (!(error instanceof ApiError) || error.field === null) return error;
  const { name, says } = error.field;
  return new ApiError(error.status, error.code, `${fields[name] ?? name}: ${says}`);
}

type PanelsProps = {
  readonly campaignId: string;
  readonly draft: Draft;
  readonly set: SetDraft;
  /** Why it could not be saved. */
  readonly refused: Error | null;
  readonly isReadOnly: boolean;
  readonly check: ReturnType<typeof useCheck>["data"];
  readonly preview: ReturnType<typeof usePreview>;
  readonly person: Person | null;
  readonly onPerson: (person: Person | null) => void;
};

const WAYS: readonly Way[] = ["blocks", "source", "text"];

function Panels(props: PanelsProps) {
  const { campaignId, draft, set, refused, isReadOnly, check, preview, person, onPerson } = props;
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
        <HeadFields draft={draft} set={set} refused={refused} isReadOnly={isReadOnly} />
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
