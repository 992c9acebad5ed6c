import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { useSettings } from "../../api/settings.ts";
import { useTexts } from "../../texts/texts.tsx";

/** Whether people who sign up must confirm by mail: a setting of the workspace, for all its forms. */
export function Confirmation() {
  const { forms } = useTexts();
  const { data } = useSettings();
  if (data === undefined) return null;
  return (
    <div>
      <strong className="forms-label">{forms.confirmation}</strong>
      <p className="forms-note">
        {data.doubleOptIn ? forms.confirmationOn : forms.confirmationOff}{" "}
        <Anchor component={Link} href="/settings/signups" inherit underline="always">
          {forms.confirmationWhere}
        </Anchor>
      </p>
    </div>
  );
}
