import { Button, Code, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { useTexts } from "../texts/texts.tsx";

type Props = { readonly children: ReactNode };

/**
 * An error in one screen must not empty the page. After an upgrade of the server, this also catches that a part of
 * the old console no longer exists: then loading the page again helps.
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
  const isOutdated = /dynamically imported module|importing a module/i.test(fault.message);
  return (
    <Stack component="main" className="frame-notice" role="alert">
      <Title order={1}>{isOutdated ? frame.newVersion : frame.fault}</Title>
      <Text>{isOutdated ? frame.newVersionSays : frame.faultSays}</Text>
      {!isOutdated && <Code block>{fault.message}</Code>}
      <Button onClick={() => location.reload()}>{frame.loadAgain}</Button>
    </Stack>
  );
}
