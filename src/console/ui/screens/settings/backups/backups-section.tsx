import { Alert, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Backup } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { loadErrorOf } from "../../../api/query.ts";
import { useFormat } from "../../../frame/format.ts";
import { facts } from "../../../frame/page-facts.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { EmptyState } from "../../../parts/states/empty-state.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import { Bar } from "../../../parts/numbers.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { DownloadBackup } from "./download-backup.tsx";
import { RemoveBackup } from "./remove-backup.tsx";
import { Section } from "../parts/section.tsx";

const LIVE_MS = 1_000;
const KEY = ["backups"] as const;

const isRunning = ({ state }: Backup): boolean => state === "RUNNING";

/** Copies of the whole server, for people who own all of it. If the server makes none, how to make them. */
export function BackupsSection() {
  const { backups } = useTexts();
  if (facts.hasBackups) return <OwnBackups />;
  return (
    <Section title={backups.title} says={backups.elsewhere}>
      <p className="settings-says">{backups.elsewhereKeep}</p>
    </Section>
  );
}

function OwnBackups() {
  const { backups } = useTexts();
  const list = useQuery<Backup[]>({
    queryKey: KEY,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? LIVE_MS : false),
    queryFn: ({ signal }) => ok(api.GET("/api/v1/backups", { signal })).then(({ data }) => data),
  });
  const error = loadErrorOf(list);
  if (error) return <LoadError error={error} retry={() => void list.refetch()} />;
  return (
    <Section
      title={backups.title}
      says={backups.says}
      actions={<MakeBackup isBusy={list.data === undefined || list.data.some(isRunning)} />}
    >
      {list.data === undefined ? <Loading /> : <Backups items={list.data} />}
    </Section>
  );
}

function MakeBackup({ isBusy }: { readonly isBusy: boolean }) {
  const { backups } = useTexts();
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/backups")),
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Button disabled={isBusy} loading={making.isPending} onClick={() => making.mutate()}>
      {backups.make}
    </Button>
  );
}

function Backups({ items }: { readonly items: readonly Backup[] }) {
  const { backups } = useTexts();
  const { share } = useFormat();
  const running = items.find(isRunning);
  const failed = items.find(({ state }) => state === "FAILED");
  const done = items.filter(({ state }) => state === "DONE");
  return (
    <>
      {running && (
        <div className="settings-progress" role="status">
          <Bar part={running.progress ?? 0} whole={1} label={backups.running} />
          <p className="settings-says">{backups.copied(share(running.progress ?? 0))}</p>
        </div>
      )}
      {failed && (
        <Alert color="red" title={backups.failed} mb="md">
          {failed.error}
        </Alert>
      )}
      {items.length === 0 && <EmptyState title={backups.noneTitle} says={backups.noneSays} />}
      {done.length > 0 && <BackupTable items={done} />}
    </>
  );
}

const MEGABYTE = 1024 * 1024;

function BackupTable({ items }: { readonly items: readonly Backup[] }) {
  const { backups } = useTexts();
  const { number } = useFormat();
  const [wanted, setWanted] = useState<Backup | null>(null);
  const [removed, setRemoved] = useState<Backup | null>(null);
  const megabytes = ({ sizeBytes }: Backup): number =>
    Math.max(0.1, Math.round(((sizeBytes ?? 0) / MEGABYTE) * 10) / 10);
  return (
    <>
      <DataTable
        items={items}
        keyOf={({ id }) => id}
        columns={[
          { label: backups.made, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          {
            label: backups.size,
            kind: "number",
            cell: (backup) => backups.megabytes(number(megabytes(backup))),
          },
          {
            label: backups.actions,
            kind: "actions",
            cell: (backup) => (
              <Actions backup={backup} download={() => setWanted(backup)} remove={() => setRemoved(backup)} />
            ),
          },
        ]}
      />
      <DownloadBackup backup={wanted} onClose={() => setWanted(null)} />
      <RemoveBackup backup={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

type ActionsProps = {
  readonly backup: Backup;
  readonly download: () => void;
  readonly remove: () => void;
};

function Actions({ backup: { createdAt }, download, remove }: ActionsProps) {
  const { backups } = useTexts();
  const { dateTime } = useFormat();
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={backups.downloadIt(dateTime(createdAt))}
        onClick={download}
      >
        {backups.download}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={backups.removeIt(dateTime(createdAt))}
        onClick={remove}
      >
        {backups.remove}
      </Button>
    </>
  );
}
