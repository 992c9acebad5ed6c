import { Type } from "@sinclair/typebox";
import { unwrap } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";
import { dataOf, nullable, oneOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import type { Deliverability } from "#doctor/workspace/deliverability.ts";
import type { Finding } from "./finding.ts";

const LEVELS = { ok: "ok", warn: "warning", fail: "problem" } as const;

const recordSchema = Type.Object(
  {
    type: oneOf("DnsRecordType", ["TXT", "MX"], "Of the record."),
    name: Type.String({
      description: "Where it belongs, without a dot at the end.",
      examples: ["example.com"],
    }),
    value: Type.String({
      description: "What it says. What only you know stands in angle brackets.",
      examples: ["v=spf1 include:<your relay's SPF name> ~all"],
    }),
  },
  {
    additionalProperties: false,
    $id: "DnsRecord",
    description: "The DNS record that `advice` is to publish; null if it is about something else.",
  },
);

const checkSchema = Type.Object(
  {
    id: Type.String({
      description:
        "What was looked at, always the same for the same kind of check: `settings`, `sending`, `mail`, `relay`, `mailbox`, `dns`, `spf`, `dmarc`, `dkim`, `dkim_key`, `bounce_spf`, `bounce_alignment`, `bounce_mx`, `base_url`. More may come.",
      examples: ["spf"],
    }),
    level: oneOf(
      "CheckLevel",
      Object.values(LEVELS),
      "`problem`: mail does not leave, or is refused. `warning`: it may be.",
    ),
    text: Type.String({
      description: "What was found, for people.",
      examples: ["SPF of example.com: there is no record"],
    }),
    advice: nullable(
      Type.String({
        description: "What to do; null if nothing has to be done.",
        examples: ["publish one TXT record at example.com: v=spf1 include:<your relay's SPF name> ~all"],
      }),
    ),
    record: Type.Optional(nullable(recordSchema)),
  },
  { additionalProperties: false, $id: "Check", description: "What one check found." },
);

const checkWire = ({ id, check, result, message, advice, record }: Finding, withRecord: boolean) => ({
  id,
  level: LEVELS[result],
  text: `${check}: ${message}`,
  advice,
  ...(withRecord ? { record: record ?? null } : {}),
});

const include = Type.Optional(
  Type.String({
    enum: ["record"],
    description: "`record` shows the DNS record that each `advice` is to publish.",
    examples: ["record"],
  }),
);

/** /deliverability (docs/contract.md "Deliverability"). */
export function deliverabilityRoutes({ check }: Deliverability): Route[] {
  return [
    route({
      method: "GET",
      path: "/deliverability",
      operationId: "getDeliverability",
      summary: "Check how mail leaves",
      description:
        "What `postrider doctor` says of this workspace's mail: its settings, its relays, the sender's DNS records, and the " +
        "address in its links. Relays and DNS are asked once a minute at most. Where they are slow the answer says so, " +
        "and the next one has what they found.",
      query: Type.Object({ include }),
      answers: {
        200: dataOf(Type.Array(checkSchema, { description: "In the order in which to correct them." })),
      },
      handle: async (call) => {
        const withRecord = unwrap(parseInclude(call.query.include, ["record"])).has("record");
        return ok((await check(call.workspaceId)).map((found) => checkWire(found, withRecord)));
      },
    }),
  ];
}
