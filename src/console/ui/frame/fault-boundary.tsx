import { Button, Code, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Component, useEffect, useRef, type ReactNode } from "react";
import { api, ok, Unreachable } from "../api/client.ts";
import { LoadError } from "../parts/states/load-error.tsx";
import { Loading } from "../parts/states/loading.tsx";
import { useTexts } from "../texts/texts.tsx";

type Props = { readonly children: ReactNode };

/**
 * An error in one screen must not empty the page. After an upgrade of the server, this also catches that a part of
 * the old console no longer exists, and while the server is away that a part did not arrive.
 */
export class FaultBoundary extends Component<Props, { readonly fault: Error | null }> {
  override state: { readonly fault: Error | null } = { fault: null };

  static getDerivedStateFromError(fault: Error) {
    return { fault };
  }

  override render() {
    return this.state.fault === null ? this.props.children : <Fault fault={this.state.fault} />;
  }
}

function Fault({ fault }: { readonly fault: Error }) {
  const { frame } = useTexts();
  if (/dynamically imported module|importing a module/i.test(fault.message)) return <PartMissing />;
  return (
    <Notice title={frame.fault} says={frame.faultSays}>
      <Code block>{fault.message}</Code>
    </Notice>
  );
}

/** The server is asked this often whether it is back. */
const AGAIN_MS = 5_000;

/** A part of the console did not arrive: either nothing does, or the server was upgraded and has other parts now. */
function PartMissing() {
  const { frame } = useTexts();
  const server = useQuery({
    queryKey: ["is there"],
    // A refusal is an answer.
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/session", { signal })).then(
        () => true,
        (error: Error) => {
          if (error instanceof Unreachable) throw error;
          return true;
        },
      ),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.error === null ? false : AGAIN_MS),
  });
  const wasAway = useRef(false);
  useEffect(() => {
    if (server.error !== null) wasAway.current = true;
    else if (server.isSuccess && wasAway.current) location.reload();
  }, [server.error, server.isSuccess]);
  if (server.error !== null) return <LoadError error={server.error} retry={() => void server.refetch()} />;
  if (server.isPending || wasAway.current) return <Loading />;
  return <Notice title={frame.newVersion} says={frame.newVersionSays} />;
}

type NoticeProps = { readonly title: string; readonly says: string; readonly children?: ReactNode };

function Notice({ title, says, children }: NoticeProps) {
  const { frame } = useTexts();
  return (
    <Stack component="section" className="frame-notice" role="alert">
      <Title order={1}>{title}</Title>
      <Text>{says}</Text>
      {children}
      <Button onClick={() => location.reload()}>{frame.loadAgain}</Button>
    </Stack>
  );
}
