import { describe, expect, test } from "bun:test";
import { Liquid } from "liquidjs";
import { parseLiquid } from "#mail/liquid/liquid.ts";

/** liquidjs as it comes: every name by its own generators. */
const alone = new Liquid({ ownPropertyOnly: true, strictFilters: true, timezoneOffset: 0, locale: "en-US" });

const SCOPES: Record<string, unknown>[] = [
  {
    contact: {
      email: "ada@example.com",
      firstName: "Ada",
      lastName: "",
      tags: ["vip", "a b"],
      attributes: { city: "Turin & <Rome>", n: 0, no: false, nil: null, deep: { list: [1, 2, 3] }, size: 7 },
    },
    campaign: { name: "Spring" },
    list: [
      { n: 1, s: "a" },
      { n: 2, s: "b" },
      { n: 3, s: "a" },
    ],
  },
  { contact: { tags: [], attributes: {} } },
  { contact: null },
  { contact: "a text", list: "no list" },
  { contact: ["x", "y"], campaign: 7 },
  {},
];

const VALUES = [
  "contact.firstName",
  "contact.attributes.city",
  "contact.attributes.n",
  "contact.attributes.no",
  "contact.attributes.nil",
  "contact.attributes.deep.list.first",
  "contact.attributes.size",
  "contact.attributes.deep.list.size",
  "contact.firstName.length",
  "contact.size",
  "contact.first",
  "contact.tags[0]",
  "contact.tags.last",
  "contact['firstName']",
  "contact.constructor",
  "contact.__proto__",
  "constructor",
  "toString",
  "nobody",
  "nobody.at.all",
  "campaign.name.more",
  "'text'",
  "12.5",
  "true",
  "nil",
  "empty",
  "(1..3)",
  "contact.firstName | default: 'you'",
  "contact.lastName | default: contact.firstName",
  "contact.attributes.no | default: 'x', allow_false: true",
  "contact.attributes.no | default: 'x', allow_false: nobody",
  "nobody | default: contact.tags | join: '-'",
  "contact.firstName | upcase | append: contact.attributes.city | truncate: 9, '!'",
  "contact.tags | join | split: ' ' | reverse | first",
  "contact.tags | size",
  "list | map: 's' | uniq | join",
  "list | where: 's', 'a' | map: 'n' | sum",
  "list | find: 'n', 2 | json",
  "list | sort: 'n' | last | json",
  "contact.attributes.n | plus: 2 | times: contact.attributes.deep.list.size",
  "'2026-11-22' | date: '%d.%m.%Y'",
  "contact.firstName | slice: 1",
  "contact.firstName | replace: 'a', contact.nobody",
  "forloop.index",
];

const CONDITIONS = [
  "contact.firstName",
  "contact.firstName == 'Ada'",
  "contact.firstName != nil and contact.lastName == empty",
  "contact.lastName == blank or nobody",
  "contact.tags contains 'vip'",
  "contact.attributes.n >= 0 and contact.attributes.n < 1",
  "not contact.attributes.no",
  "not nobody and contact.tags.size > 1",
  "contact.attributes.nil == nil",
  "contact.firstName contains contact.lastName",
  "contact.tags == empty",
  "list.first.n == 1",
];

const TEMPLATES = [
  ...VALUES.map((value) => `[{{ ${value} }}]`),
  ...CONDITIONS.map((condition) => `{% if ${condition} %}yes{% elsif contact %}else{% else %}no{% endif %}`),
  ...CONDITIONS.map((condition) => `{% unless ${condition} %}no{% endunless %}`),
  "{% for contact in contact.tags %}{{ contact }}{{ contact.firstName }}{{ forloop.index }}{{ forloop.last }}{% else %}none{% endfor %}{{ contact.firstName }}",
  "{% for a in list %}{% for b in list %}{% if b.n > a.n %}{% break %}{% endif %}{{ a.n }}{{ b.s }},{% endfor %}{{ forloop.rindex0 }};{% endfor %}",
  "{% for n in (1..contact.attributes.deep.list.size) limit: 2 offset: 1 %}{{ n }}{% continue %}x{% endfor %}",
  "a{% if contact %}{% break %}{% endif %}b{{ contact.firstName }}",
  "{% assign contact = 'shadow' %}{{ contact }}{{ contact.firstName }}{% assign x = contact | upcase %}{{ x }}",
  "{% assign firstName = contact.firstName | default: 'you' %}{% for firstName in list %}{{ firstName.s }}{% endfor %}{{ firstName }}",
  "{% increment contact %}{% increment n %}{% increment n %}{{ n }}{% decrement m %}{{ m }}",
  "{% capture x %}{{ contact.firstName }}!{% endcapture %}{{ x | size }}{{ x }}{% if x == '!' %}nobody{% endif %}",
  "{% case contact.firstName %}{% when 'Ada', 'Eve' %}one{% when contact.lastName %}two{% else %}three{% endcase %}",
  "{% tablerow t in contact.tags cols: 2 %}{{ t }}{{ tablerowloop.col }}{% endtablerow %}",
  "{% liquid\n assign y = contact.tags | first\n echo y\n if y == 'vip'\n echo contact.firstName | append: y\n endif %}",
  "{% comment %}{{ contact.firstName }}{% endcomment %}{% raw %}{{ contact }}{% endraw %}{%- # note -%} {{- contact.firstName -}} ",
  "{{ contact.firstName }}{{ contact.attributes.city | default: 'nowhere' }}{{ list | first | json }}",
];

/** What liquidjs writes for a value; null where it refuses. */
const byLiquid = (source: string, scope: object): string | null => {
  try {
    return String(alone.parseAndRenderSync(source, structuredClone(scope)));
  } catch {
    return null;
  }
};

const byUs = (source: string, scope: Record<string, unknown>, how: "render" | "pieces"): string | null => {
  const template = parseLiquid(source, "text");
  if (!template.ok) return null;
  const made = template.value[how](structuredClone(scope));
  if (!made.ok) return null;
  return typeof made.value === "string"
    ? made.value
    : made.value.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("");
};

describe("values that are looked up directly are what liquidjs makes of them", () => {
  test.each(TEMPLATES)("%s", (source) => {
    for (const scope of SCOPES) {
      const expected = byLiquid(source, scope);
      for (const how of ["render", "pieces"] as const)
        expect([scope, how, byUs(source, scope, how)]).toEqual([scope, how, expected]);
    }
  });

  test("and stay so when the same template is filled in for one after the other", () => {
    const source = TEMPLATES.join("\n");
    const template = parseLiquid(source, "text");
    if (!template.ok) throw new Error(template.refusal.message);
    for (const scope of [...SCOPES, ...SCOPES.toReversed()]) {
      const made = template.value.render(structuredClone(scope));
      expect(made.ok ? made.value : null).toBe(byLiquid(source, scope));
    }
  });
});
