import { Button, Code, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Component, useEffect, useRef, type ReactNode } from "react";
import { api, ok, Unreachable } from "../api/client.ts";
import { LoadError } from "../parts/states/load-error.tsx";
import { Loading } from "../parts/states/loading.tsx";
import { useTexts } from "../texts/texts.tsx";

type Where = {
  /** Whether nothing else is on the page. */
  readonly isWholePage?: boolean;
};
type Props = Where & { readonly children: ReactNode };

/**
 * An error in one screen must not empty the page. It also catches that a part of the console did not load:
 * after an upgrade of the server the old part is gone, and while the server is away it cannot arrive.
 */
export class FaultBoundary extends Component<Props, { readonly fault: Error | null }> {
  override state: { readonly fault: Error | null } = { fault: null };

  static getDerivedStateFromError(fault: Error) {
    return { fault };
  }

  override render() {
    const { children, isWholePage = false } = this.props;
    return this.state.fault === null ? (
      children
    ) : (
      <Fault fault={this.state.fault} isWholePage={isWholePage} />
    );
  }
}

function Fault({ fault, isWholePage }: Required<Where> & { readonly fault: Error }) {
  const { frame } = useTexts();
  if (/dynamically imported module|importing a module/i.test(fault.message))
    return <PartMissing isWholePage={isWholePage} />;
  return (
    <Notice title={frame.fault} says={frame.faultSays} isWholePage={isWholePage}>
      <Code block>{fault.message}</Code>
    </Notice>
  );
}

/** The server is asked this often whether it is back. */
const AGAIN_MS = 5_000;

/** A part of the console did not arrive: either nothing does, or the server was upgraded and has other parts now. */
function PartMissing({ isWholePage }: Required<Where>) {
  const { frame } = useTexts();
  const server = useQuery({
    queryKey: ["is there"],
    // Why the server is away; null: it answers, if only with a refusal. The reason is an answer and not thrown: an error
    // is forgotten while the server is asked again, so its notice would leave the page and come back each time.
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/session", { signal })).then(
        () => null,
        (error: Error) => (error instanceof Unreachable ? error : null),
      ),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? AGAIN_MS : false),
  });
  const away = server.data;
  const wasAway = useRef(false);
  useEffect(() => {
    if (away) wasAway.current = true;
    else if (away === null && wasAway.current) location.reload();
  }, [away]);
  if (away) return <LoadError error={away} retry={() => void server.refetch()} isWholePage={isWholePage} />;
  if (away === undefined || wasAway.current) return <Loading />;
  return <Notice title={frame.newVersion} says={frame.newVersionSays} isWholePage={isWholePage} />;
}

type NoticeProps = Required<Where> & {
  readonly title: string;
  readonly says: string;
  readonly children?: ReactNode;
};

function Notice({ title, says, isWholePage, children }: NoticeProps) {
  const { frame } = useTexts();
  const notice = (
    <Stack component="section" className="frame-notice" role="alert">
      <Title order={1}>{title}</Title>
      <Text>{says}</Text>
      {children}
      <Button onClick={() => location.reload()}>{frame.loadAgain}</Button>
    </Stack>
  );
  return isWholePage ? <main>{notice}</main> : notice;
}
