import { useIsMutating } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSettings } from "../../api/settings.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { Fields } from "../settings/parts/section.tsx";
import { SettingField } from "../settings/parts/setting-field.tsx";
import { FromBrowser } from "./from-browser.tsx";
import { NextStep, type GoOn } from "./next-step.tsx";

const NEEDED = ["fromEmail", "mailingAddress"] as const;

/** The sender's identity: without a sender and a postal address no campaign goes out. */
export function Identity({ isDone, goOn }: { readonly isDone: boolean; readonly goOn: GoOn | null }) {
  const { may } = useSession();
  const { leave, isLacking } = useLeaving(isDone, goOn);
  return (
    <>
      <Fields>
        <SettingField name="name" />
        <SettingField name="fromName" />
        <SettingField name="fromEmail" placeholder="news@example.com" />
        <SettingField name="mailingAddress" kind="text" />
        {may("owner") && <FromBrowser />}
      </Fields>
      {isLacking && <Lacking />}
      <NextStep goOn={goOn && { ...goOn, go: may("owner") ? leave : goOn.go }} />
    </>
  );
}

/** Continues once the last input is saved, if nothing is missing then. */
function useLeaving(isDone: boolean, goOn: GoOn | null) {
  const isSaving = useIsMutating() > 0;
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (isLeaving && isDone && !isSaving) goOn?.go();
  }, [isLeaving, isDone, isSaving, goOn]);
  return { leave: () => setLeaving(true), isLacking: isLeaving && !isDone && !isSaving };
}

function Lacking() {
  const { firstSteps, settings } = useTexts();
  const { data } = useSettings();
  const missing = NEEDED.filter((name) => data?.[name].trim() === "");
  const names = missing.map((name) => settings.fields[name].label).join(", ");
  return (
    <p role="alert" className="first-steps-lacking">
      {firstSteps.lacking(names)}
    </p>
  );
}
