/**
 * A service as it runs without a relay, for tests in a browser: its mail is captured and shown at `/mailbox`, and
 * every link in it leads back to the service.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { systemClock } from "#core/time/clock.ts";
import { startCaptureServer } from "#mail/capture/capture-server.ts";
import { openCapturedMail } from "#mail/capture/captured-mail.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { buildConsole } from "../../../scripts/console/build.ts";
import { startFront } from "../browser/front.ts";
import { startApi, type TestApi } from "./api.ts";
import { shiftableClock, type ShiftableClock } from "../people/forms.ts";
import { SENDER } from "../sending/sending.ts";

export type CapturedApi = TestApi & {
  readonly clock: ShiftableClock;
  /** Whom mail was captured for, in its order. */
  readonly recipients: readonly string[];
};

/** Its workspace has a sender and a mailing address. When it stops, it checks the ledger's counters. */
export async function startCaptured(settings: Partial<Settings> = {}): Promise<CapturedApi> {
  await buildConsole();
  const directory = mkdtempSync(join(tmpdir(), "postrider-mail-"));
  const mailbox = await openCapturedMail(directory, systemClock);
  const recipients: string[] = [];
  const captured: typeof mailbox = {
    page: (...asked) => mailbox.page(...asked),
    read: (number) => mailbox.read(number),
    async keep(message) {
      await mailbox.keep(message);
      recipients.push(...message.to);
    },
  };
  const capture = await startCaptureServer(captured);
  // The public address, which exists before the service behind it.
  let behind = "";
  const front = startFront(() => behind);
  const clock = shiftableClock();
  const mail = { smtpUrl: capture.url, isCaptured: true, captured };
  const api = await startApi({ clock, ...mail, baseUrl: front.url });
  behind = api.url;
  await api.services.workspaces.changeSettings(api.workspaceId, { ...SENDER, ...settings });
  return {
    ...api,
    url: front.url,
    clock,
    recipients,
    async stop(how) {
      const faults = await api.place.ledgerFaults(api.services);
      await front.stop();
      await api.stop(how);
      await capture.close();
      rmSync(directory, { recursive: true });
      if (faults.length > 0) throw new Error(`The ledger is not consistent: ${faults.join("; ")}`);
    },
  };
}

/** Opens the mailbox until mail to this address is in it, because mail leaves a moment after the request. */
export async function openMailbox(page: Page, { url }: CapturedApi, to: string): Promise<void> {
  const mail = page.getByRole("link").filter({ hasText: `to ${to}` });
  do await page.goto(`${url}/mailbox`);
  while ((await mail.count()) === 0);
}
