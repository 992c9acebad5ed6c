/** A service whose mail is captured, and what a reader finds in it: the links of real messages. */
import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Email } from "postal-mime";
import { systemClock } from "#core/time/clock.ts";
import { startCaptureServer } from "#mail/capture/capture-server.ts";
import { openCapturedMail, type CapturedMail, type CapturedMessage } from "#mail/capture/captured-mail.ts";
import { parseMail } from "#mail/mime/parse-mail.ts";
import { BASE_URL, startApi, type TestApi, type TestOptions } from "../server/api.ts";
import { makeAudience, makeCampaign, send, SENDER } from "../sending/sending.ts";

/** A message somebody got. Links are paths on the service, as its public pages answer them. */
export type Letter = {
  readonly message: CapturedMessage & { readonly parsed: Email };
  readonly pixel: string;
  readonly links: readonly string[];
  readonly unsubscribe: string;
};

export type ReadersApi = TestApi & {
  readonly captured: CapturedMail;
  /** Sends a campaign to new readers at these addresses. */
  mailTo(addresses: readonly string[], fields?: object): Promise<Mailed>;
  /** Asks for a public page; no redirect is followed. */
  visit(path: string, init?: RequestInit): Promise<Response>;
  /** A campaign's counts, after everything that was waiting was written. */
  countsOf(campaignId: string): Promise<{ opened: number; clicked: number }>;
};

type Mailed = {
  readonly campaignId: string;
  readonly listId: string;
  readonly contactIds: readonly string[];
  readonly letters: readonly Letter[];
};

export async function startReaders(options: Pick<TestOptions, "clock"> = {}): Promise<ReadersApi> {
  const directory = mkdtempSync(join(tmpdir(), "postrider-mail-"));
  const captured = await openCapturedMail(directory, systemClock);
  const server = await startCaptureServer(captured);
  const api = await startApi({ smtpUrl: server.url, isCaptured: true, ...options });
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  return {
    ...api,
    captured,
    visit: (path, init = {}) => fetch(api.url + path, { redirect: "manual", ...init }),

    async mailTo(addresses, fields = {}) {
      const { listId, contactIds } = await makeAudience(api, addresses);
      const campaignId = await makeCampaign(api, listId, fields);
      const { body } = await send(api, campaignId);
      if (body.data?.sent !== addresses.length)
        throw new Error(`not everybody was mailed: ${JSON.stringify(body)}`);
      const messages = await newest(captured, addresses.length);
      const letters = addresses.map((address) => letterOf(messages.find(({ to }) => to[0] === address)!));
      return { campaignId, listId, contactIds, letters };
    },

    async countsOf(campaignId) {
      await api.services.tracking.drain();
      const { opened, clicked } = (await api.call("GET", `/campaigns/${campaignId}`)).body.data.stat;
      return { opened, clicked };
    },

    async stop(how) {
      await api.stop(how);
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}

async function newest(captured: CapturedMail, count: number): Promise<Letter["message"][]> {
  const page = await captured.page(count);
  return await Promise.all(
    page.map(async ({ number }) => {
      const message = (await captured.read(number))!;
      return { ...message, parsed: await parseMail(message.raw) };
    }),
  );
}

function letterOf(message: Letter["message"]): Letter {
  const paths = [...message.parsed.html!.matchAll(/"https:\/\/mail\.example\.org(\/[ocpu]\/[^"]+)"/g)].map(
    ([, path]) => path!,
  );
  const ofKind = (kind: string) => paths.filter((path) => path.startsWith(`/${kind}/`));
  return { message, pixel: ofKind("o")[0]!, links: ofKind("c"), unsubscribe: ofKind("u")[0]! };
}

/** The token in a link's path. */
export const tokenOf = (path: string): string => path.split("/")[2]!;

/** The address a message's List-Unsubscribe header names, as a path. */
export function oneClickPath({ message }: Letter): string {
  const { value } = message.parsed.headers.find(({ key }) => key === "list-unsubscribe")!;
  return value.replace(/^<|>$/g, "").replace(BASE_URL, "");
}
