import { Spotlight, type SpotlightActionData, type SpotlightFilterFunction } from "@mantine/spotlight";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useTexts } from "../texts/texts.tsx";
import { finderStore, useMark } from "./finder-marks.ts";
import { useFound, type Found } from "./found.ts";
import { usePlaces } from "./places.ts";
import { RailIcon } from "./rail-icon.tsx";

/** The server is asked when somebody pauses. */
const PAUSE_MS = 200;

/** Ctrl-K: goes anywhere, and finds contacts and campaigns. */
export function Finder() {
  const texts = useTexts();
  const [, navigate] = useLocation();
  const [query, setQuery] = useState("");
  const wanted = query.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const places: SpotlightActionData[] = usePlaces().map((place) => ({
    id: place.path,
    label: place.label(texts),
    leftSection: <RailIcon name={place.icon} />,
    onClick: () => navigate(place.path),
  }));
  const { found, isAsking } = useFound(asked, wanted);
  const answers = found.map(({ href, label, says, icon }: Found): SpotlightActionData => ({
    id: href,
    label,
    description: says,
    leftSection: <RailIcon name={icon} />,
    onClick: () => navigate(href),
  }));
  useMark([wanted, ...found.map(({ href }) => href)].join(" "));
  return (
    <Spotlight
      store={finderStore}
      actions={[...places, ...answers]}
      filter={fitting(new Set(places.map(({ id }) => id)))}
      query={query}
      onQueryChange={setQuery}
      shortcut={["mod + K"]}
      // Its top stays where it is, however much is found.
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

/** Places fit by their name. What the server found fits, for reasons that it knows. */
const fitting =
  (places: ReadonlySet<string>): SpotlightFilterFunction =>
  (query, actions) => {
    const wanted = query.trim().toLowerCase();
    return actions.filter(
      (action) =>
        !("id" in action) || !places.has(action.id) || (action.label ?? "").toLowerCase().includes(wanted),
    );
  };
