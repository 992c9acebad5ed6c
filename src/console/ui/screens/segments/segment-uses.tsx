import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Segment } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { DeleteByName } from "../../parts/delete-by-name.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useTexts } from "../../texts/texts.tsx";

type Named = Pick<Segment, "id" | "name">;
type Props = { readonly segment: Named; readonly mayEdit: boolean };

/** What uses a segment. If nothing does, it can be deleted. */
export function SegmentUses({ segment, mayEdit }: Props) {
  const { segments } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ["segments", "uses", segment.id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/segments/{id}/uses", { params: { path: { id: segment.id } }, signal })).then(
        (answer) => answer.data,
      ),
  });
  if (error && data === undefined) return <LoadError error={error} retry={() => void refetch()} />;
  return (
    <section className="segments-preview" aria-labelledby="uses">
      <Title order={2} id="uses">
        {segments.uses}
      </Title>
      {data?.length === 0 && <p className="contact-none">{segments.noUses}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className="segments-sample">
          {data.map(({ kind, id, name }) => (
            <li key={id}>
              <Link href={`/${kind === "segment" ? "segments" : "campaigns"}/${id}`}>{name}</Link>
              <span className="contact-none">
                {kind === "segment" ? segments.kinds.segment : segments.kinds.campaign}
              </span>
            </li>
          ))}
        </ul>
      )}
      {mayEdit && data && <DeleteSegment segment={segment} isUsed={data.length > 0} />}
    </section>
  );
}

function DeleteSegment({
  segment: { id, name },
  isUsed,
}: {
  readonly segment: Named;
  readonly isUsed: boolean;
}) {
  const { segments } = useTexts();
  if (isUsed) return <p className="contact-none">{segments.mayNotDelete}</p>;
  return (
    <DeleteByName
      name={name}
      texts={segments}
      list="segments"
      remove={() => ok(api.DELETE("/api/v1/segments/{id}", { params: { path: { id } } }))}
    />
  );
}
