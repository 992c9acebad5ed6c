import { EDGE_CONTRAST, inkOn, readable, TEXT_CONTRAST } from "#core/colour.ts";
import { CARD_COLOURS } from "./layout.ts";

/**
 * The custom properties of a page in a sender's colour, for light and dark screens. A button has the colour
 * itself, with black or white on it, whichever is easier to read, and an edge that is seen on any ground.
 * Links and the focus ring have the nearest colour that can be read. An empty colour gives nothing: the
 * page's own colours stay.
 * @param colour as `parseColour` returns it
 */
export function brandStyle(colour: string): string {
  if (colour === "") return "";
  return `
:root { ${properties(colour, "light")} }
@media (prefers-color-scheme: dark) { :root { ${properties(colour, "dark")} } }
`;
}

function properties(colour: string, scheme: "light" | "dark"): string {
  const grounds = CARD_COLOURS[scheme];
  const link = readable(colour, grounds, TEXT_CONTRAST);
  const edge = readable(colour, grounds, EDGE_CONTRAST);
  return `--act: ${colour}; --on-act: ${inkOn(colour)}; --edge: ${edge}; --link: ${link}`;
}
