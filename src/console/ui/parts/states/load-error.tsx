import { Alert, Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ApiError, Unreachable } from "../../api/client.ts";
import { useTexts } from "../../texts/texts.tsx";
import { NoPermission } from "./no-permission.tsx";

type Props = {
  readonly error: Error;
  readonly retry?: () => void;
  /** Whether nothing else is on the page. */
  readonly isWholePage?: boolean;
};

/**
 * What could not be loaded or done, and why: in the server's own words, because they say what to do, or in those of the
 * screen.
 */
export function LoadError({ error, retry, isWholePage = false }: Props) {
  const { frame } = useTexts();
  // A firewall in front of Postrider knows no roles, and its answer has no code.
  if (error instanceof ApiError && error.status === 403 && error.code !== "")
    return <NoPermission says={error.message} />;
  const isUnreachable = error instanceof Unreachable;
  const notice = (
    <Alert
      color="red"
      role="alert"
      className="load-error"
      data-unreachable={isUnreachable || undefined}
      icon={<IconAlertTriangle aria-hidden />}
      title={isUnreachable ? frame.unreachable : retry ? frame.notLoaded : frame.notDone}
    >
      <p className="load-error-says">{isUnreachable ? frame.unreachableSays : error.message}</p>
      {retry && (
        <Button size="xs" variant="default" onClick={retry}>
          {frame.tryAgain}
        </Button>
      )}
    </Alert>
  );
  return isWholePage ? <main className="frame-notice">{notice}</main> : notice;
}
