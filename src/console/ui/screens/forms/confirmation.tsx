import { useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { useTexts } from "../../texts/texts.tsx";

/** Whether who signs up has to confirm by mail: a setting of the workspace, for all its forms. */
export function Confirmation() {
  const { forms } = useTexts();
  const { data } = useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/settings", { signal })).then((answer) => answer.data),
  });
  if (data === undefined) return null;
  return (
    <div>
      <strong className="forms-label">{forms.confirmation}</strong>
      <p className="forms-note">
        {data.doubleOptIn ? forms.confirmationOn : forms.confirmationOff} {forms.confirmationWhere}
      </p>
    </div>
  );
}
