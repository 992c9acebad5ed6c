import { useQuery } from "@tanstack/react-query";
import type { Check, Settings } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useDeliverability, useSettings } from "../../api/settings.ts";

/** What must be there before the first campaign goes out, in the order in which people do it. */
export const STEPS = ["identity", "relay", "dns", "contacts", "campaign"] as const;

export type Step = (typeof STEPS)[number];

/** `later`: it cannot be done yet, and nothing waits for it. */
type StepState = "open" | "done" | "later";

export type Progress = Readonly<Record<Step, StepState>>;

/** The next step: the first open one after this (null: of all), otherwise an earlier one that is still open. */
export function stepAfter(step: Step | null, progress: Progress): Step | null {
  const isOpen = (other: Step): boolean => other !== step && progress[other] === "open";
  const later = step === null ? STEPS : STEPS.slice(STEPS.indexOf(step) + 1);
  return later.find(isOpen) ?? STEPS.find(isOpen) ?? null;
}

type Steps = {
  readonly progress: Progress | undefined;
  /** Why it could not be loaded, and how to try again. */
  readonly failed: { readonly error: Error; again(): void } | null;
};

/** The progress of the first steps, kept up to date; undefined until all of it is known. */
export function useSteps(): Steps {
  const settings = useSettings();
  const checks = useDeliverability();
  const contacts = useQuery({
    queryKey: ["contacts", "any"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/contacts", { params: { query: { limit: 1 } }, signal })).then(
        ({ data }) => data.length > 0,
      ),
  });
  const sent = useHasSent();
  const missing = [settings, checks, contacts, sent].filter((query) => loadErrorOf(query) !== null);
  const error = missing[0]?.error ?? null;
  const again = (): void => void Promise.all(missing.map(({ refetch }) => refetch()));
  const known =
    settings.data !== undefined &&
    checks.data !== undefined &&
    contacts.data !== undefined &&
    sent.data !== undefined;
  return {
    progress: known ? progressOf(settings.data, checks.data, contacts.data, sent.data) : undefined,
    failed: error && { error, again },
  };
}

/** Whether a campaign has gone out: until then the overview shows the first steps. */
export const useHasSent = () =>
  useQuery({
    queryKey: ["campaigns", "any sent"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/campaigns", { params: { query: { limit: 1, status: "SENT" } }, signal })).then(
        ({ data }) => data.length > 0,
      ),
  });

const ABOUT_DNS = new Set(["dns", "spf", "dmarc", "dkim", "dkim_key"]);

export const isAboutDns = ({ id }: Check): boolean => ABOUT_DNS.has(id);

/** Without a relay no mail leaves, and nobody checks the domain. */
const isCaptured = (checks: readonly Check[]): boolean => checks.some(({ id }) => id === "mail");

function progressOf(
  { mailingAddress, fromEmail }: Settings,
  checks: readonly Check[],
  hasContacts: boolean,
  hasSent: boolean,
): Progress {
  const dns = checks.filter(isAboutDns);
  const relays = checks.filter(({ id }) => id === "relay" || id === "sending");
  const isIdentified = mailingAddress !== "" && fromEmail !== "";
  // A relay may sign in our place: a warning about DKIM alone is no reason to wait.
  const isVouchedFor = dns.every(({ id, level }) => level === "ok" || (id === "dkim" && level === "warning"));
  const doneIf = (isDone: boolean): StepState => (isDone ? "done" : "open");
  return {
    identity: doneIf(isIdentified),
    ...(isCaptured(checks)
      ? { relay: "later", dns: "later" }
      : {
          relay: doneIf(relays.every(({ level }) => level !== "problem")),
          dns: doneIf(isIdentified && isVouchedFor),
        }),
    contacts: doneIf(hasContacts),
    campaign: doneIf(hasSent),
  };
}
