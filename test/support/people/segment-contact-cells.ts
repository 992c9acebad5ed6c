import { ALL, texts, contraryTexts, contactWith, attribute, NONE, type Cell } from "./segment-cell.ts";
import { LISTS, NOW, personWith } from "./segment-world.ts";
import { DAY } from "../common/durations.ts";

/** Rules on what a contact is: its fields, tags, lists, segments and attributes. */
export const CONTACT_CELLS: Readonly<Record<string, readonly Cell[]>> = {
  email: [
    {
      ops: [
        ...texts("élodie@example.org".replace("é", "e")),
        ...contraryTexts("elodie@example.org"),
        ["exists", undefined, {}, ALL],
        ["notExists", undefined, {}, []],
      ],
      fits: contactWith({ email: "elodie@example.org" }),
      doesNot: contactWith({ email: "ada@example.net" }),
      missing: null,
      wrongType: null,
    },
  ],
  domain: [
    {
      ops: [
        ...texts("example.org"),
        ...contraryTexts("example.org"),
        ["exists", "", {}, ALL],
        ["notExists", "", {}, []],
      ],
      fits: contactWith({ email: "ada@example.org" }),
      doesNot: contactWith({ email: "example.org@localhost.test" }),
      missing: null,
      wrongType: null,
    },
  ],
  firstName: [
    {
      ops: [...texts("Élodie"), ...contraryTexts("Élodie"), ["exists", undefined], ["notExists", undefined]],
      fits: contactWith({ firstName: "éLODIE" }),
      doesNot: contactWith({ firstName: "Ada", lastName: "Élodie" }),
      missing: contactWith({ lastName: "Élodie" }),
      wrongType: null,
    },
  ],
  lastName: [
    {
      ops: [...texts("Straße"), ...contraryTexts("Straße"), ["exists", undefined], ["notExists", undefined]],
      fits: contactWith({ lastName: "STRASSE" }),
      doesNot: contactWith({ lastName: "Ada", firstName: "Straße" }),
      missing: contactWith({ firstName: "Straße" }),
      wrongType: null,
    },
  ],
  status: [
    {
      ops: [
        ["equals", "SUBSCRIBED"],
        ["notEquals", "SUBSCRIBED"],
      ],
      fits: contactWith({ status: "SUBSCRIBED" }),
      doesNot: contactWith({ status: "UNSUBSCRIBED" }),
      missing: null,
      wrongType: null,
    },
  ],
  tag: [
    {
      ops: [
        ["equals", "VIP"],
        ["notEquals", "VIP"],
      ],
      fits: contactWith({ tags: ["beta", "VIP"] }),
      doesNot: contactWith({ tags: ["vip"] }),
      missing: NONE,
      wrongType: null,
    },
  ],
  list: [
    {
      ops: [
        ["equals", LISTS[0]],
        ["notEquals", LISTS[0]],
      ],
      fits: personWith({ listIds: [...LISTS] }),
      doesNot: personWith({ listIds: [LISTS[1]] }),
      missing: NONE,
      wrongType: null,
    },
  ],
  segment: [
    {
      ops: [
        ["equals", "seg_vip"],
        ["notEquals", "seg_vip"],
      ],
      fits: contactWith({ tags: ["VIP"] }),
      doesNot: contactWith({ tags: ["vip"] }),
      missing: NONE,
      wrongType: null,
    },
  ],
  createdAt: [
    {
      ops: [
        ["before", "2026-11-01T12:00:00Z"],
        ["notWithinDays", 21, {}, ["fits"]],
      ],
      fits: contactWith({ createdAt: NOW - 21 * DAY - 1 }),
      doesNot: contactWith({ createdAt: NOW - 21 * DAY }),
      missing: null,
      wrongType: null,
    },
    {
      ops: [
        ["after", "2026-11-01T11:59:59.999Z"],
        ["withinDays", 21],
      ],
      fits: contactWith({ createdAt: NOW - 21 * DAY }),
      doesNot: contactWith({ createdAt: NOW - 21 * DAY - 1 }),
      missing: null,
      wrongType: null,
    },
    // It only looks back.
    {
      ops: [
        ["withinDays", 1],
        ["notWithinDays", 1, {}, ["doesNot"]],
      ],
      fits: contactWith({ createdAt: NOW }),
      doesNot: contactWith({ createdAt: NOW + 1 }),
      missing: null,
      wrongType: null,
    },
  ],
  "attributes.plan": [
    {
      ops: [
        ...texts("Größe Pro"),
        ...contraryTexts("Größe Pro"),
        ["exists", undefined],
        ["notExists", undefined],
      ],
      fits: attribute("GRÖSSE PRO"),
      doesNot: attribute("other"),
      missing: attribute(""),
      wrongType: attribute(5),
    },
    {
      ops: [
        ["contains", "PRO"],
        ["notContains", "PRO"],
      ],
      fits: attribute(["free", "Pro"]),
      doesNot: attribute(["professional"]),
      missing: NONE,
      wrongType: attribute(true),
    },
    {
      ops: [
        ["equals", 5],
        ["notEquals", 5],
        ["greaterThan", 4.5],
      ],
      fits: attribute(5),
      doesNot: attribute(4.5),
      missing: NONE,
      wrongType: attribute("5"),
    },
    {
      ops: [["lessThan", 5.5]],
      fits: attribute(5),
      doesNot: attribute(5.5),
      missing: NONE,
      wrongType: attribute("5"),
    },
    {
      ops: [
        ["equals", true],
        ["notEquals", true],
      ],
      fits: attribute(true),
      doesNot: attribute(false),
      missing: NONE,
      wrongType: attribute(1),
    },
    {
      ops: [
        ["before", "2026-11-01"],
        ["before", "2026-11-01T00:00:00+00:00"],
      ],
      fits: attribute("2026-11-01T00:59:59+01:00"),
      doesNot: attribute("2026-11-01"),
      missing: attribute(""),
      wrongType: attribute("yesterday"),
    },
    {
      ops: [["after", "2026-11-01T00:00:00Z"]],
      fits: attribute("2026-11-02"),
      doesNot: attribute("2026-11-01T01:00:00+01:00"),
      missing: NONE,
      wrongType: attribute(["2026-11-02"]),
    },
    {
      ops: [["withinDays", 1.5]],
      fits: attribute("2026-11-21T00:00"),
      doesNot: attribute("2026-11-22T12:00:00.001Z"),
      missing: NONE,
      wrongType: attribute(20_261_121),
    },
  ],
};
