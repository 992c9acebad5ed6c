/** The subject of the newsletter of the pictures, and its readers. */
import { edges, node } from "../../test/support/automations/flows.ts";

export const FIRST = [
  ..."Ada Grace Margaret Katherine Barbara Hedy Radia Frances Annie Joan Mary Evelyn Karen Lynn".split(" "),
  ..."Alan Linus Edsger Donald Tim Dennis Ken Niklaus Tony John Claude Vint Leslie Robin".split(" "),
];
export const LAST =
  "Hopper Lovelace Hamilton Johnson Liskov Lamarr Perlman Allen Easley Clarke Turing Dijkstra Knuth Wirth Hoare Lamport Milner Shannon".split(
    " ",
  );
/** The people in the first two places are a segment. */
export const PLACES = ["Bern", "Berlin", "London", "Lisbon", "Oslo", "Boston"] as const;

export type Issue = { readonly day: number; readonly name: string; readonly subject: string };

export const CAMPAIGNS: readonly Issue[] = [
  { day: 2, name: "Autumn letter", subject: "What the autumn brought" },
  { day: 9, name: "Open workshop", subject: "Come and see the looms" },
  { day: 16, name: "First snow", subject: "Wool for the first snow" },
  { day: 23, name: "Members’ evening", subject: "Tea, looms and two short talks" },
  { day: 28, name: "November letter", subject: "Two looms, a shawl, and tea on Saturday" },
];

export const LETTER = {
  subject: 'Hello {{ contact.firstName | default: "there" }}, the workshop was busy',
  preheader: "Two looms, a shawl, and tea on Saturday",
  body: `<mjml>
  <mj-head><mj-attributes><mj-all font-family="Arial, sans-serif" /></mj-attributes></mj-head>
  <mj-body background-color="#f3f5f6">
    <mj-section background-color="#0b6a73" padding="24px 16px">
      <mj-column>
        <mj-text font-size="26px" font-weight="700" color="#ffffff">The Daily Rider</mj-text>
        <mj-text color="#ffffff">Wool, looms and news from the workshop</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="24px 16px">
      <mj-column>
        <mj-text font-size="22px" font-weight="700">What we built this month</mj-text>
        <mj-text line-height="1.6">Hello {{ contact.firstName | default: "there" }}, the workshop was busy: two new looms stand by the window, and the first shawl is off them.</mj-text>
        <mj-button href="https://riders.example/pictures" background-color="#0b6a73">See the pictures</mj-button>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="0 16px 24px">
      <mj-column>
        <mj-text font-weight="700">Saturday, four o’clock</mj-text>
        <mj-text line-height="1.6">Tea, two short talks, and <a href="https://riders.example/saturday">wool to take home</a>.</mj-text>
      </mj-column>
      <mj-column>
        <mj-text font-weight="700">In the shop</mj-text>
        <mj-text line-height="1.6">The <a href="https://riders.example/shawl">first shawl</a> and <a href="https://riders.example/yarn">yarn in five greens</a>.</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`,
};

const WELCOME =
  '<h1>Welcome</h1><p>Good to have you here. <a href="https://riders.example/start">Begin here</a>.</p>';
const REMINDER =
  '<p>Our first letter may have passed you by. <a href="https://riders.example/start">Here it is</a>.</p>';

export const AUTOMATION = {
  nodes: [
    node("in", "trigger", { trigger: "new_subscriber" }),
    node("mail", "action", { action: "send_email", subject: "Welcome to The Daily Rider", html: WELCOME }),
    node("pause", "wait", { amount: 2, unit: "days" }),
    node("asked", "condition", { any: [{ field: "opened", op: "exists", value: "mail" }] }),
    node("tag", "action", { action: "add_tag", tag: "reader" }),
    node("again", "action", { action: "send_email", subject: "Did you miss this?", html: REMINDER }),
    node("out", "end"),
  ],
  edges: edges("in>mail", "mail>pause", "pause>asked", "asked>tag true", "asked>again false", "tag>out"),
};
