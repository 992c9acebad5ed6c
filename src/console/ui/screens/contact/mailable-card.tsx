import { Paper } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { useFormat } from "../../frame/format.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Whether they get campaigns, and every reason why not. */
export function MailableCard({ id, status }: { readonly id: string; readonly status: string }) {
  const { contact: texts, fromServer } = useTexts();
  const { date } = useFormat();
  const { data, error, refetch } = useQuery({
    queryKey: ["contacts", "mailable", id, status],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/contacts/{id}/mailable", { params: { path: { id } }, signal })).then(
        (answer) => answer.data,
      ),
  });
  if (error && data === undefined) return <LoadError error={error} retry={() => void refetch()} />;
  return (
    <Paper p="md" className="contact-mailable">
      {data && (
        <>
          <StatusWord tone={data.mailable ? "good" : "look"}>
            {data.mailable ? texts.gets : texts.getsNot}
          </StatusWord>
          {data.mailable && <p>{texts.getsSays}</p>}
          {data.reasons.map(({ code, message, since }) => (
            <p key={code}>
              {texts.reasons[code] ?? fromServer(message)}
              {since !== null && ` (${texts.since(date(since))})`}
            </p>
          ))}
        </>
      )}
    </Paper>
  );
}
