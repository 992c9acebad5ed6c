import { Spotlight, type SpotlightActionData, type SpotlightFilterFunction } from "@mantine/spotlight";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useTexts } from "../../texts/texts.tsx";
import { isMeant, useEntries, type Entry } from "./finder-entries.ts";
import { finderStore, useMark } from "./finder-marks.ts";
import { useFound } from "./found.ts";
import type { Found } from "./named.ts";
import { RailIcon } from "../navigation/rail-icon.tsx";

/** The server is asked when somebody pauses. */
const PAUSE_MS = 200;

/** Ctrl-K: opens any page, creates something, and finds contacts and campaigns. */
export function Finder() {
  const texts = useTexts();
  const [, navigate] = useLocation();
  const [query, setQuery] = useState("");
  const wanted = query.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const entries = useEntries().filter((entry) => isMeant(entry, wanted));
  const { found, isAsking } = useFound(asked, wanted);
  const actions = [...entries, ...found].map(
    ({ href, label, says, icon }: Entry | Found): SpotlightActionData => ({
      // The settings and their first section have one address.
      id: `${href} ${label}`,
      label,
      ...(says ? { description: says } : {}),
      leftSection: <RailIcon name={icon} />,
      onClick: () => navigate(href),
    }),
  );
  useMark([wanted, ...found.map(({ href }) => href)].join(" "));
  return (
    <Spotlight
      store={finderStore}
      actions={actions}
      // No filter here: all choices that are given fit already.
      filter={everything}
      query={query}
      onQueryChange={setQuery}
      shortcut={["mod + K"]}
      // Its top stays in place, however much is found.
      centered={false}
      yOffset="12dvh"
      overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
      nothingFound={isAsking ? texts.frame.searching : texts.frame.nothingFound}
      highlightQuery
      scrollable
      attributes={{ content: { "aria-label": texts.frame.find } }}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: texts.frame.findWhat,
        "aria-label": texts.frame.findWhat,
      }}
    />
  );
}

const everything: SpotlightFilterFunction = (_, actions) => actions;
