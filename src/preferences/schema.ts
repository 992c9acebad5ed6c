import { Type } from "@sinclair/typebox";
import { htmlPage, type PublicOperation } from "#http/routes/public-route.ts";
import { LEAVE_EVERYTHING } from "./choice.ts";

/** How the API's document shows the preferences page. */

const params = Type.Object({
  token: Type.String({
    description: "The token of the mail's unsubscribe link; cannot be guessed.",
    examples: ["AAAAAAAAAAEAAAAAAAAAAg3q2-7wq0bK"],
  }),
});
const broken = htmlPage("The token is not one of ours. The page is the same for every reason.");

export const preferencesPageOperation: PublicOperation = {
  operationId: "showPreferencesPage",
  tag: "readers",
  summary: "See what there is to choose",
  description:
    "A page with a box for each public list. It changes nothing, because mail scanners follow links. Who opted out of everything sees that, and has nothing to choose.",
  params,
  answers: { 200: htmlPage("The page."), 404: broken },
};

const choiceBody = Type.Object(
  {
    lists: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "The lists that are ticked, by their ids: the reader joins these and leaves the other public ones.",
        examples: [["list_01kafbzr1e6k3n8yd5w7pq2cmh"]],
      }),
    ),
    shown: Type.Optional(
      Type.String({
        description:
          "Ids of the lists that the page showed, separated by spaces: others stay as they are. Without it all public lists count.",
        examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh list_01kafbzs9w2v7x4d6t8mr3qejp"],
      }),
    ),
    ticked: Type.Optional(
      Type.String({
        description:
          "Ids of the lists that were ticked when the page was shown, separated by spaces: these are left or kept, and never joined.",
        examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"],
      }),
    ),
    firstName: Type.Optional(Type.String({ description: "Empty clears it.", examples: ["Ada"] })),
    lastName: Type.Optional(Type.String({ description: "Empty clears it.", examples: ["Lovelace"] })),
    leave: Type.Optional(
      Type.String({
        description: `\`${LEAVE_EVERYTHING}\`: opts out of all marketing mail, as the unsubscribe link does. Then nothing else counts.`,
        examples: [LEAVE_EVERYTHING],
      }),
    ),
  },
  {
    description:
      "What the page's form sends. Ids that are no public list, and other fields, are passed over.",
    examples: [{ lists: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"], firstName: "Ada", lastName: "Lovelace" }],
  },
);

export const choiceOperation: PublicOperation = {
  operationId: "updatePreferences",
  tag: "readers",
  summary: "Join and leave lists, correct the name, or leave everything",
  description:
    "Only differences are written and logged: one consent entry a list. It never brings back who opted out of everything.",
  params,
  body: { "application/x-www-form-urlencoded": choiceBody },
  answers: { 200: htmlPage("Done; the second time too."), 404: broken },
};
