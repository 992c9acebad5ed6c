import { Button, Title } from "@mantine/core";
import { useRef } from "react";
import { Link } from "wouter";
import type { Check } from "../../api/api.gen.ts";
import { useDeliverability } from "../../api/settings.ts";
import { loadErrorOf } from "../../api/query.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { useCheckWords } from "../settings/mail/check-words.ts";
import { LevelIcon } from "../settings/mail/mail-checks.tsx";
import { NeedsPlace, useRememberHeightOf } from "./needs-place.tsx";

/** Where each kind of problem is solved. */
const PLACES: Readonly<Record<string, string>> = {
  settings: "/settings",
  sending: "/settings/limits",
  relay: "/settings/relay",
  mailbox: "/settings/relay",
  webhook: "/activity?tab=webhooks",
};

/** The subject in the person's language. The server's sentence says what exactly was found. */
function useTitle() {
  const { needs } = useTexts().overview;
  const known: Readonly<Record<string, string>> = needs;
  return ({ id }: Check): string => (Object.hasOwn(known, id) ? (known[id] ?? needs.other) : needs.other);
}

/**
 * For these, the title says already what was found, so the line below says what to do. For the others, the line
 * says which one is meant, because a workspace can have several.
 */
const SAID_BY_TITLE = new Set(["dkim", "dns"]);

const detailOf = ({ id, level, text, advice }: Check): string =>
  SAID_BY_TITLE.has(id) && level === "warning" && advice !== null ? advice : text;

const placeOf = ({ id }: Check): string => PLACES[id] ?? "/settings/senders";

/** Captured mail is a choice, and the rail shows it. */
const isTrouble = ({ id, level }: Check): boolean => level !== "ok" && id !== "mail";

/** What somebody has to do: one line each, with a link to the place. Empty if all is well. */
export function NeedsYou() {
  const { overview } = useTexts();
  const words = useCheckWords();
  const titleOf = useTitle();
  const checks = useDeliverability();
  const found = checks.data?.filter(isTrouble);
  const list = useRef<HTMLUListElement>(null);
  useRememberHeightOf(list, found);
  const error = loadErrorOf(checks);
  if (error) return <LoadError error={error} retry={() => void checks.refetch()} />;
  if (found === undefined) return <NeedsPlace />;
  if (found.length === 0) return null;
  const worstFirst = [
    ...found.filter(({ level }) => level === "problem"),
    ...found.filter(({ level }) => level !== "problem"),
  ];
  return (
    <section aria-labelledby="needs-you">
      <Title order={2} id="needs-you" mb="sm">
        {overview.needsYou}
      </Title>
      <ul className="overview-needs" ref={list}>
        {worstFirst.map((check, place) => (
          <li key={`${place} ${check.id}`} data-tone={check.level === "problem" ? "bad" : "look"}>
            <LevelIcon level={check.level} />
            <div>
              <p className="overview-need">{titleOf(check)}</p>
              <p className="overview-advice sentence">{words(detailOf(check))}</p>
            </div>
            <Button component={Link} href={placeOf(check)} variant="default" size="xs">
              {overview.look}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
