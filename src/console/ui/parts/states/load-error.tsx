import { Alert, Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ApiError } from "../../api/client.ts";
import { useTexts } from "../../texts/texts.tsx";
import { NoPermission } from "./no-permission.tsx";

type Props = {
  readonly error: Error;
  readonly retry?: () => void;
  /** Whether nothing else is on the page. */
  readonly isWholePage?: boolean;
};

/** What could not be loaded, and why. It shows the server's own sentence, because that says what to do. */
export function LoadError({ error, retry, isWholePage = false }: Props) {
  const { frame } = useTexts();
  if (error instanceof ApiError && error.status === 403) return <NoPermission says={error.message} />;
  const isRefusal = error instanceof ApiError;
  const notice = (
    <Alert
      color="red"
      role="alert"
      className="load-error"
      data-unreachable={!isRefusal || undefined}
      icon={<IconAlertTriangle aria-hidden />}
      title={isRefusal ? (retry ? frame.notLoaded : frame.notDone) : frame.unreachable}
    >
      <p className="load-error-says">{isRefusal ? error.message : frame.unreachableSays}</p>
      {retry && (
        <Button size="xs" variant="default" onClick={retry}>
          {frame.tryAgain}
        </Button>
      )}
    </Alert>
  );
  return isWholePage ? <main className="frame-notice">{notice}</main> : notice;
}
