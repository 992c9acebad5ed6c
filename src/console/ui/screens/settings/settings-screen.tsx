import { NavLink } from "@mantine/core";
import { Link, Redirect, useParams } from "wouter";
import { useSettings } from "../../api/settings.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useInSight } from "../../parts/lists/in-sight.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NoPermission } from "../../parts/states/no-permission.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { sectionHref } from "./section-places.ts";
import { SECTIONS } from "./sections.tsx";

/** The settings of the workspace, in sections with an address each. */
export default function SettingsScreen() {
  const { settings } = useTexts();
  const { may } = useSession();
  const { section: named = "workspace" } = useParams<{ section?: string }>();
  useInSight(".settings-sections [aria-current=page]", named);
  const section = SECTIONS.find(({ name }) => name === named);
  if (section === undefined) return <Redirect to="/settings" replace />;
  const { Content, role = "viewer" } = section;
  return (
    <Page title={settings.title} part={settings.sections[section.name]}>
      <div className="settings">
        <nav aria-label={settings.title} className="settings-sections">
          {SECTIONS.filter((one) => may(one.role ?? "viewer")).map(({ name }) => (
            <NavLink
              key={name}
              component={Link}
              href={sectionHref(name)}
              label={settings.sections[name]}
              active={name === named}
              aria-current={name === named ? "page" : undefined}
            />
          ))}
        </nav>
        <div className="settings-content">{may(role) ? <Loaded Content={Content} /> : <NoPermission />}</div>
      </div>
    </Page>
  );
}

function Loaded({ Content }: { readonly Content: () => React.ReactNode }) {
  const settings = useSettings();
  const error = loadErrorOf(settings);
  if (error) return <LoadError error={error} retry={() => void settings.refetch()} />;
  return settings.data === undefined ? <Loading /> : <Content />;
}
