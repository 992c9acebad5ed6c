import { Title } from "@mantine/core";
import { useId, type ReactNode } from "react";
import { useSession } from "../../../frame/session/session.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { SavedFields } from "./saved.tsx";

type Props = {
  readonly title: string;
  readonly says?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A part of the settings, with a heading. */
export function Section({ title, says, actions, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="settings-section">
      <div className="settings-section-head">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {says && <p className="settings-says">{says}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Fields that are saved when they are left. */
export function Fields({ children }: { readonly children: ReactNode }) {
  const { settings } = useTexts();
  const { may } = useSession();
  return (
    <div className="settings-fields">
      {!may("owner") && <p className="settings-says">{settings.ownersOnly}</p>}
      <SavedFields>{children}</SavedFields>
    </div>
  );
}
