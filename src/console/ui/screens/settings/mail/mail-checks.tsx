import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import type { Check, CheckLevel } from "../../../api/api.gen.ts";
import { useDeliverability } from "../../../api/settings.ts";
import { loadErrorOf } from "../../../api/query.ts";
import { CopyLine } from "../../../parts/copies/copy-line.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useCheckWords } from "./check-words.ts";

const ICONS = { ok: IconCircleCheck, warning: IconAlertTriangle, problem: IconCircleX } as const;
const TONES = { ok: "good", warning: "look", problem: "bad" } as const;

/** The results of the checks, with the DNS records to publish. Checked again while somebody looks at them. */
export function MailChecks({ only }: { readonly only?: (check: Check) => boolean }) {
  const checks = useDeliverability(true);
  const error = loadErrorOf(checks);
  if (error) return <LoadError error={error} retry={() => void checks.refetch()} />;
  if (checks.data === undefined) return <Loading />;
  return (
    <ul className="mail-checks">
      {checks.data.filter(only ?? (() => true)).map((check) => (
        <OneCheck key={`${check.id} ${check.text}`} check={check} />
      ))}
    </ul>
  );
}

function OneCheck({ check: { level, text, advice, record } }: { readonly check: Check }) {
  const { settings } = useTexts();
  const words = useCheckWords();
  return (
    <li data-tone={TONES[level]}>
      <LevelIcon level={level} />
      <div className="mail-check-words">
        <p>{words(text)}</p>
        {advice !== null && <p className="mail-check-advice sentence">{words(advice)}</p>}
        {record && level !== "ok" && (
          <dl className="dns-record">
            <dt>{settings.recordType}</dt>
            <dd>{record.type}</dd>
            <dt>{settings.recordName}</dt>
            <dd>
              <CopyLine text={record.name} label={settings.recordName} />
            </dd>
            <dt>{settings.recordValue}</dt>
            <dd>
              <CopyLine text={record.value} label={settings.recordValue} />
            </dd>
          </dl>
        )}
      </div>
    </li>
  );
}

export function LevelIcon({ level }: { readonly level: CheckLevel }) {
  const { settings } = useTexts();
  const Icon = ICONS[level];
  return (
    <Icon size={20} className="level-icon" data-tone={TONES[level]} aria-label={settings.levels[level]} />
  );
}
