import { expect, test } from "bun:test";
import {
  contrastOf,
  contrastProblems,
  draftOf,
  isColour,
  withStyle,
} from "#console/ui/screens/forms/form-draft.ts";
import { fieldNames } from "#console/ui/screens/forms/field-names.ts";
import { snippetsOf } from "#console/ui/screens/forms/snippet-texts.ts";

const FORM = {
  id: "form_1",
  name: "Stay",
  listId: null,
  fields: ["firstName"],
  style: { buttonColor: "#777777", ours: { kept: true } },
  successMessage: "Thanks",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
  embedUrl: "https://mail.example.com/news/api/forms/form_1/submit",
};

test("contrast is that of WCAG", () => {
  expect(contrastOf("#000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastOf("#777777", "#fff")).toBeCloseTo(4.48, 2);
  expect(contrastOf("#fff", "#fff")).toBe(1);
  expect([isColour("#abc"), isColour("#ABCDEF"), isColour("red"), isColour("#ab")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("a pair that many cannot read is said, and only where both were chosen", () => {
  const draft = draftOf(FORM);
  expect(contrastProblems(draft)).toEqual([]);
  const white = withStyle(draft, "buttonTextColor", "#ffffff");
  expect(contrastProblems(white).map(({ what }) => what)).toEqual(["onButton"]);
  expect(contrastProblems(withStyle(white, "buttonColor", "#000000"))).toEqual([]);
});

test("members of a style that are not known here are kept, and an empty one goes", () => {
  const draft = withStyle(withStyle(draftOf(FORM), "buttonText", "Go"), "buttonColor", "");
  expect(draft.style).toEqual({ ours: { kept: true }, buttonText: "Go" });
});

test("snippets name the form's own addresses", () => {
  const { embed, page, html } = snippetsOf(
    { ...FORM, fields: ['a"b'] },
    { button: "Join <us>", labelOf: (name) => (name === "email" ? "Email address" : `Your ${name}`) },
  );
  expect(page).toBe("https://mail.example.com/news/forms/form_1");
  expect(embed).toBe('<script src="https://mail.example.com/news/forms/form_1/embed.js" async></script>');
  expect(html).toContain('<label>Your a&quot;b <input name="a&quot;b"></label>');
  expect(html).toContain('<label>Email address <input type="email"');
  expect(html).toContain("<button>Join &lt;us></button>");
});

test("the fields of a form are called as people call them; an attribute of that name stays one", () => {
  const own = { firstName: "First name", lastName: "Last name" };
  const { offered, shown, stored } = fieldNames(own, ["city", "firstName"]);
  expect(offered).toEqual(["First name", "Last name", "city"]);
  expect(["firstName", "city"].map(shown)).toEqual(["First name", "city"]);
  expect(["First name", "city"].map(stored)).toEqual(["firstName", "city"]);
  // Nobody has it yet, and the form asks for it.
  const asked = ["First name", "lastName"];
  const names = fieldNames(own, asked);
  expect(asked.map(names.shown)).toEqual(["First name", "Last name"]);
  expect(asked.map(names.shown).map(names.stored)).toEqual(asked);
  expect(names.offered).toEqual(["firstName", "Last name", "First name"]);
});
