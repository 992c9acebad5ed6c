import { isNotFound } from "../../api/client.ts";
import { Page } from "../page.tsx";
import { LoadError } from "./load-error.tsx";
import { Loading } from "./loading.tsx";
import { NotFound } from "./not-found.tsx";

type Props = { readonly title: string; readonly error: Error | null; readonly retry: () => void };

/** A screen whose thing is not loaded: it is on its way, does not exist, or could not be loaded. */
export function NotYet({ title, error, retry }: Props) {
  if (isNotFound(error)) return <NotFound />;
  if (error) return <LoadError error={error} retry={retry} />;
  return (
    <Page title={title}>
      <Loading />
    </Page>
  );
}
