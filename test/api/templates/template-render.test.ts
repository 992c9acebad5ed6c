import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

async function rendered(fields: object, variables?: object) {
  const letter = { name: "Receipt", subject: "Order {{ order }}", body: "<p>{{ name }}</p>", ...fields };
  const { id } = (await api.call("POST", "/templates", letter)).body.data;
  const answer = await api.call("POST", `/templates/${id}/render`, variables && { variables });
  expect(answer.status).toBe(200);
  return answer.body.data;
}
const places = ({ problems }: any) =>
  problems.map(({ severity, line, column }: any) => `${severity} ${line}:${column}`);

test("a template is filled in with these variables, and nothing is wrong with it", async () => {
  expect(await rendered({}, { order: 7, name: "Ada & <b>" })).toEqual({
    subject: "Order 7",
    html: "<p>Ada &amp; &lt;b&gt;</p>",
    text: "Ada & <b>\n",
    problems: [],
  });
  expect(await rendered({})).toMatchObject({ subject: "Order", html: "<p></p>", problems: [] });
});

test("MJML is compiled", async () => {
  const body =
    "<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ name }}</mj-text></mj-column></mj-section></mj-body></mjml>";
  const { html, text, problems } = await rendered({ format: "mjml", body }, { name: "Ada" });
  expect([html.includes("Dear Ada"), text.includes("Dear Ada"), problems]).toEqual([true, true, []]);
});

test("what does not compile is an error with its place in the source, and there is nothing to show", async () => {
  const liquid = await rendered({ body: "<p>\n  {{ name | nope }}</p>" });
  expect([places(liquid), liquid.html, liquid.text, liquid.subject]).toEqual([["error 2:3"], "", "", ""]);
  expect(liquid.problems[0].message).toContain("nope");
  const mjml = await rendered({ format: "mjml", body: "<mjml><mj-body>\n  <mj-nope />\n</mj-body></mjml>" });
  expect(places(mjml)).toEqual(["error 2:3"]);
  const dropped = await rendered({
    format: "mjml",
    body: "<mjml><mj-body>\n  <mj-section><mj-column><mj-image>{{ name }}</mj-image></mj-column></mj-section></mj-body></mjml>",
  });
  expect([places(dropped)[0], dropped.html]).toEqual(["error 2:36", ""]);
  const both = await rendered({ subject: "{% if", body: "{{ a" });
  expect(places(both)).toEqual(["error null:null", "error 1:1"]);
});

test("MJML whose format is HTML is an error too, and there is nothing to show", async () => {
  const body = "<mjml><mj-body></mj-body></mjml>";
  const { html, text, subject, problems } = await rendered({ body });
  expect([html, text, subject, problems.length]).toEqual(["", "", "", 1]);
  expect(problems[0].message).toContain("it is MJML");
});

test("what only filling in shows is an error too", async () => {
  const endless = "{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}";
  const { html, problems } = await rendered({ body: endless });
  expect([html, problems.map(({ severity }: any) => severity)]).toEqual(["", ["error"]]);
  const long = await rendered({ subject: `{% for i in (1..20) %}${"x".repeat(100)}{% endfor %}` });
  expect([long.subject, long.problems[0].severity]).toEqual(["", "error"]);
  expect(long.problems[0].message).toContain("longer than 998 characters");
});

test("warnings come with what would be sent", async () => {
  const body =
    '<img src="https://a.example">\n<a href="example.org">x</a>*|NAME|*' + "<!-- x -->".repeat(11_000);
  const shown = await rendered({ body });
  expect(shown.html).toBe(body);
  expect(places(shown)).toEqual(["warning 1:1", "warning 2:4", "warning 2:28", "warning null:null"]);
});

test("variables that are none are refused, after the template is looked for", async () => {
  const { id } = (await api.call("POST", "/templates", { name: "A", subject: "A", body: "A" })).body.data;
  const answer = await api.call("POST", `/templates/${id}/render`, { variables: [1] });
  expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  expect((await api.call("POST", "/templates/missing/render", { variables: [1] })).status).toBe(404);
});
