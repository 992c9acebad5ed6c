import type { Completion } from "@codemirror/autocomplete";
import { html, type TagSpec } from "@codemirror/lang-html";
import { liquid } from "@codemirror/lang-liquid";
import type { Extension } from "@codemirror/state";

const COMMON = ["css-class", "padding", "padding-top", "padding-right", "padding-bottom", "padding-left"];
const BOX = [...COMMON, "background-color", "border", "border-radius"];
const ALIGN = { align: ["left", "center", "right"] };

const spec = (attributes: readonly string[], more: Record<string, readonly string[]> = {}): TagSpec => ({
  attrs: { ...Object.fromEntries(attributes.map((name) => [name, null])), ...more },
});

/** MJML's elements with their most used attributes (mjml 5, documentation of each component). */
const MJML: Record<string, TagSpec> = {
  mjml: spec(["lang", "dir"]),
  "mj-head": spec([]),
  "mj-attributes": spec([]),
  "mj-all": spec(["font-family", "color", "font-size"]),
  "mj-class": spec(["name"]),
  "mj-font": spec(["name", "href"]),
  "mj-preview": spec([]),
  "mj-style": spec([], { inline: ["inline"] }),
  "mj-title": spec([]),
  "mj-breakpoint": spec(["width"]),
  "mj-body": spec(["width", "background-color", "css-class"]),
  "mj-wrapper": spec([...BOX, "full-width"]),
  "mj-section": spec([...BOX, "background-url", "full-width"], {
    direction: ["ltr", "rtl"],
    "text-align": ALIGN.align,
  }),
  "mj-group": spec(["width", "vertical-align"]),
  "mj-column": spec([...BOX, "width"], { "vertical-align": ["top", "middle", "bottom"] }),
  "mj-text": spec([...COMMON, "color", "font-family", "font-size", "font-weight", "line-height"], ALIGN),
  "mj-button": spec([...BOX, "href", "color", "font-size", "font-weight", "inner-padding", "width"], ALIGN),
  "mj-image": spec([...BOX, "src", "alt", "href", "width", "height", "title"], ALIGN),
  "mj-divider": spec([...COMMON, "border-color", "border-style", "border-width", "width"]),
  "mj-spacer": spec([...COMMON, "height"]),
  "mj-table": spec([...COMMON, "width", "cellpadding", "cellspacing", "color", "font-size"], ALIGN),
  "mj-social": spec([...COMMON, "icon-size", "font-size", "color"], {
    mode: ["horizontal", "vertical"],
    ...ALIGN,
  }),
  "mj-social-element": spec([...COMMON, "href", "src", "alt", "background-color"], {
    name: ["facebook", "github", "instagram", "linkedin", "pinterest", "web", "x", "youtube"],
  }),
  "mj-hero": spec([...BOX, "height", "background-url", "width"], { mode: ["fixed-height", "fluid-height"] }),
  "mj-raw": spec([]),
};

const named = (names: readonly string[], type: string): Completion[] =>
  names.map((label) => ({ label, type }));

const CONTACT = ["email", "firstName", "lastName", "tags", "attributes"];

/** HTML or MJML with Liquid in it. Completes elements, filters, and the fields and attributes of contacts. */
export function sourceLanguage(format: "html" | "mjml", attributes: readonly string[]): Extension {
  const properties = (path: readonly string[]): Completion[] => {
    if (path.join(".") === "contact") return named(CONTACT, "property");
    if (path.join(".") === "contact.attributes") return named(attributes, "property");
    return path.join(".") === "campaign" ? named(["name"], "property") : [];
  };
  const variables = named(
    ["contact", "campaign", "unsubscribeUrl", "preferencesUrl", "webVersionUrl"],
    "variable",
  );
  const base =
    format === "mjml" ? html({ extraTags: MJML, matchClosingTags: true }) : html({ matchClosingTags: true });
  return liquid({ base, variables, properties });
}
