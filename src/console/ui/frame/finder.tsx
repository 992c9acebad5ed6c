import { Spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useLocation } from "wouter";
import { useTexts } from "../texts/texts.tsx";
import { usePlaces } from "./places.ts";
import { RailIcon } from "./rail-icon.tsx";

/** Ctrl-K: goes anywhere. */
export function Finder() {
  const texts = useTexts();
  const [, navigate] = useLocation();
  const actions = usePlaces().map((place) => ({
    id: place.path,
    label: place.label(texts),
    leftSection: <RailIcon name={place.icon} />,
    onClick: () => navigate(place.path),
  }));
  return (
    <Spotlight
      actions={actions}
      shortcut={["mod + K"]}
      nothingFound={texts.frame.nothingFound}
      highlightQuery
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: texts.frame.findWhat,
        "aria-label": texts.frame.findWhat,
      }}
    />
  );
}
