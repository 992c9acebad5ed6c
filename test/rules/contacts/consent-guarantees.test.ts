import { expect, test } from "bun:test";
import {
  decideOnPatch,
  decideOnPost,
  type ConsentDecision,
  type Standing,
} from "#contacts/consent/consent.ts";
import { CONTACT_STATUSES, type Consent, type ContactStatus } from "#contacts/contact.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";

/** One request, and where the address stood before it: NEW is neither contact nor suppression. `current` is its row. */
type Outcome = {
  current: Standing;
  before: ContactStatus | "NEW";
  status: ContactStatus | undefined;
  consent: Consent | undefined;
  decision: ConsentDecision;
};

const STATUSES = [undefined, ...CONTACT_STATUSES];
const CONSENTS = [undefined, "explicit", "declined"] as const;
const SUPPRESSIONS: (SuppressionReason | null)[] = [null, ...SUPPRESSION_REASONS];

const requests = STATUSES.flatMap((status) => CONSENTS.map((consent) => ({ status, consent })));

const outcomes: Outcome[] = requests.flatMap((request) => [
  ...[null, ...CONTACT_STATUSES].flatMap((current) =>
    SUPPRESSIONS.map((suppression) => ({
      ...request,
      current,
      before: standsAs(current, suppression),
      decision: decideOnPost({ ...request, current, suppression }),
    })),
  ),
  ...CONTACT_STATUSES.map((current) => ({
    ...request,
    current,
    before: current,
    decision: decideOnPatch({ ...request, current }),
  })),
]);

function standsAs(current: Standing, suppression: SuppressionReason | null): ContactStatus | "NEW" {
  if (current !== null && current !== "PENDING") return current;
  if (suppression === null) return current ?? "NEW";
  if (current === "PENDING" && suppression === "MANUAL") return current;
  return suppression === "HARD_BOUNCE" ? "BOUNCED" : "UNSUBSCRIBED";
}

const isOut = (status: string): boolean => status === "UNSUBSCRIBED" || status === "BOUNCED";

/** Checks a sentence with every request that it speaks of. If it spoke of none, it would prove nothing. */
function guarantee(
  name: string,
  speaksOf: (outcome: Outcome) => boolean,
  holds: (outcome: Outcome) => boolean,
): void {
  test(name, () => {
    const spokenOf = outcomes.filter(speaksOf);
    expect(spokenOf).not.toEqual([]);
    expect(spokenOf.filter((outcome) => !holds(outcome))).toEqual([]);
  });
}

guarantee(
  "BOUNCED is never raised",
  (o) => o.before === "BOUNCED",
  (o) => isOut(o.decision.status) && !o.decision.becameSubscribed,
);

guarantee(
  "nothing is logged of what the person did not say themselves, so nobody need know who asked",
  (o) => o.consent === undefined,
  (o) => o.decision.consentEntry === null,
);

guarantee(
  "BOUNCED becomes UNSUBSCRIBED by a withdrawal and by nothing else",
  (o) => o.before === "BOUNCED",
  (o) => o.decision.status === (o.consent === "declined" ? "UNSUBSCRIBED" : "BOUNCED"),
);

guarantee(
  "an opt-out is not undone without explicit consent",
  (o) => o.before === "UNSUBSCRIBED" && o.consent !== "explicit",
  (o) => o.decision.status === "UNSUBSCRIBED",
);

guarantee(
  "an opt-out is never overwritten by BOUNCED or PENDING",
  (o) => o.before === "UNSUBSCRIBED" && (o.status === "BOUNCED" || o.status === "PENDING"),
  (o) => o.decision.status === "UNSUBSCRIBED",
);

guarantee(
  "explicit consent raises an opt-out, logs it, and starts no automation",
  (o) => o.before === "UNSUBSCRIBED" && o.consent === "explicit" && o.status === "SUBSCRIBED",
  ({ decision }) =>
    decision.status === "SUBSCRIBED" && decision.consentEntry === "GIVEN" && !decision.becameSubscribed,
);

guarantee(
  "declined wins over any status, from every state",
  (o) => o.consent === "declined",
  ({ decision }) =>
    decision.status === "UNSUBSCRIBED" &&
    decision.consentEntry === "WITHDRAWN" &&
    decision.suppress === "UNSUBSCRIBED" &&
    decision.leaveLists,
);

guarantee(
  "WITHDRAWN is logged for declined alone",
  (o) => o.decision.consentEntry === "WITHDRAWN",
  (o) => o.consent === "declined",
);

guarantee(
  "GIVEN is logged only for explicit consent that leaves the contact SUBSCRIBED",
  (o) => o.decision.consentEntry === "GIVEN",
  (o) => o.consent === "explicit" && o.decision.status === "SUBSCRIBED",
);

guarantee(
  "explicit consent counts only with SUBSCRIBED or no status",
  (o) => o.consent === "explicit" && o.status !== undefined && o.status !== "SUBSCRIBED",
  (o) => o.decision.consentEntry === null && (o.before !== "UNSUBSCRIBED" || o.decision.status === o.before),
);

guarantee(
  "SUBSCRIBED is never downgraded to PENDING",
  (o) => o.before === "SUBSCRIBED",
  (o) => o.decision.status !== "PENDING",
);

guarantee(
  "new-subscriber automations start for new and PENDING people who become SUBSCRIBED, and for nobody else",
  () => true,
  (o) =>
    o.decision.becameSubscribed ===
    (o.decision.status === "SUBSCRIBED" && (o.before === "NEW" || o.before === "PENDING")),
);

guarantee(
  "whoever newly becomes UNSUBSCRIBED or BOUNCED is suppressed and leaves every list",
  (o) => isOut(o.decision.status) && o.decision.status !== o.before,
  ({ decision }) =>
    decision.leaveLists &&
    decision.suppress === (decision.status === "BOUNCED" ? "HARD_BOUNCE" : "UNSUBSCRIBED"),
);

guarantee(
  "nobody else is suppressed or loses a list, unless they declined; who was only PENDING and is out loses the lists",
  (o) => o.consent !== "declined" && (!isOut(o.decision.status) || o.decision.status === o.before),
  ({ current, decision }) =>
    decision.suppress === null && decision.leaveLists === (current === "PENDING" && isOut(decision.status)),
);
