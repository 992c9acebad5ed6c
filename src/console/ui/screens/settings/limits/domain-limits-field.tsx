import { Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import { useChangeSettings, useSettings } from "../../../api/settings.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { limitLines, readLimits } from "./domain-limits.ts";
import { useSaved } from "../parts/saved.tsx";

/** How much goes to each provider: a line for each, saved when the field is left. */
export function DomainLimitsField() {
  const { settings: texts } = useTexts();
  const { may } = useSession();
  const stored = useSettings().data?.domainLimits ?? null;
  const { mutate, error } = useChangeSettings();
  const saved = useSaved();
  const [typed, setTyped] = useState(limitLines(stored));
  useEffect(() => setTyped(limitLines(stored)), [stored]);
  const read = readLimits(typed);
  const leave = (): void => {
    if ("unreadable" in read || typed.trim() === limitLines(stored)) return;
    saved.begin();
    mutate({ domainLimits: read.limits }, { onSettled: (_, problem) => saved.end(problem ?? null) });
  };
  return (
    <Textarea
      autosize
      minRows={2}
      label={texts.fields.domainLimits.label}
      description={texts.fields.domainLimits.says}
      placeholder={"gmail.com,googlemail.com 2000/hour 5 connections"}
      disabled={!may("owner")}
      error={"unreadable" in read ? texts.unreadableLimit(read.unreadable) : error?.message}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={leave}
    />
  );
}
