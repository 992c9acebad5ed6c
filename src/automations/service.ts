import type { Clock } from "#core/time/clock.ts";
import { accept, AppError, notFound, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Work } from "#work/pool.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { Automation, AutomationStatus, Enrollment, EnrollmentFilter } from "./automation.ts";
import type { AutomationChange } from "#automations/flow/automation-input.ts";
import { INITIAL_FLOW, type Flow } from "#automations/flow/flow.ts";
import { mjmlMails } from "#automations/mail/mjml-mails.ts";
import { waitingProblems, type StoppedBy } from "#automations/mail/waiting-mail.ts";
import { figuresInOrder } from "#automations/node-figures.ts";
import { flowNeeds } from "#automations/run/flow-needs.ts";
import type { FlowProblem } from "#automations/flow/problems.ts";
import { changeStatus } from "./status.ts";
import type { AutomationStore } from "./store.ts";
import { stoppedProblem, troubleProblem } from "#automations/flow/trouble.ts";

export type AutomationService = ReturnType<typeof automationService>;

const PIECE = 500;

/** What stops here only a server that sends knows. */
export type Stops = {
  readonly mailing: StoppedBy;
  /** Why nobody moves in an automation, by a fault of ours; null: nothing is wrong. */
  automation(id: string): string | null;
};

type Parts = {
  readonly automations: AutomationStore;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly work: Pick<Work, "run">;
  readonly clock: Clock;
  readonly newId: NewId;
};

/** Every method that names an automation throws AppError NOT_FOUND if the workspace has no such automation. */
export function automationService(parts: Parts) {
  const { automations, clock, newId } = parts;
  const flow = async (workspaceId: string, id: string): Promise<Flow> =>
    (await automations.flow(workspaceId, id)) ?? gone(id);

  return {
    page: (
      workspaceId: string,
      status: AutomationStatus | null,
      request: PageRequest,
    ): Promise<Page<Automation>> => automations.page(workspaceId, status, request),

    /** Every automation, newest first, read in pieces. */
    async *all(workspaceId: string): AsyncGenerator<Automation> {
      for (let before: number | null = null; ;) {
        const page: Page<Automation> = await automations.page(workspaceId, null, { limit: PIECE, before });
        yield* page.items;
        if (page.nextPosition === null) return;
        before = page.nextPosition;
      }
    },

    find: async (workspaceId: string, id: string): Promise<Automation> =>
      (await automations.find(workspaceId, id)) ?? gone(id),

    flow,

    /** A DRAFT with one trigger node: new subscriber joins. */
    create: (workspaceId: string, { name }: { name: string }): Promise<Automation> =>
      automations.insert(workspaceId, { id: newId("aut"), name, flow: INITIAL_FLOW, createdAt: clock.now() }),

    /** For `postrider automation release`. @throws AppError CONFLICT if none of its mail is held after a restore */
    async release(workspaceId: string, id: string): Promise<void> {
      const outcome = await automations.release(workspaceId, id);
      if (outcome === "not found") gone(id);
      if (outcome === "not held")
        throw new AppError("CONFLICT", `No mail of automation ${id} is held: there is nothing to release.`);
    },

    /** Makes the whole change or none of it. @throws AppError AUTOMATION_WRONG_STATE by `status.ts` */
    async change(workspaceId: string, id: string, change: AutomationChange): Promise<Automation> {
      const changed = await automations.change(
        workspaceId,
        id,
        (current) => {
          const name = change.name ?? current.name;
          if (change.status === undefined) return accept({ name, flow: change.flow, status: current.status });
          const status = changeStatus(current.status, change.status);
          return status.ok ? accept({ name, flow: change.flow, status: status.value }) : status;
        },
        clock.now(),
      );
      return changed === null ? gone(id) : unwrap(changed);
    },

    async delete(workspaceId: string, id: string): Promise<void> {
      if (!(await automations.delete(workspaceId, id, clock.now()))) gone(id);
    },

    enrollments: async (
      workspaceId: string,
      id: string,
      filter: EnrollmentFilter,
      request: PageRequest,
    ): Promise<Page<Enrollment>> =>
      (await automations.enrollments(workspaceId, id, filter, request)) ?? gone(id),

    stats: (workspaceId: string, id: string) => statsOf(workspaceId, id, parts),

    /**
     * What would make an enrollment fail, what would never be performed, what is being retried now, and mail that does
     * not go out.
     */
    problems: async (workspaceId: string, id: string, stops: Stops): Promise<FlowProblem[]> =>
      problemsOf(workspaceId, { id, flow: await flow(workspaceId, id), stops }, parts),
  };
}

/** What became of runs and mails at each node. */
async function statsOf(workspaceId: string, id: string, { automations }: Pick<Parts, "automations">) {
  const flow = await automations.flow(workspaceId, id);
  const figures = await automations.nodeFigures(workspaceId, id);
  return flow === null || figures === null ? gone(id) : figuresInOrder(flow, figures);
}

async function problemsOf(
  workspaceId: string,
  { id, flow, stops }: { readonly id: string; readonly flow: Flow; readonly stops: Stops },
  { automations, workspaces, work, clock }: Parts,
): Promise<FlowProblem[]> {
  const inMjml = await mjmlProblems(workspaceId, flow, work);
  const { allowPrivateWebhooks, trackOpens, trackClicks } = await workspaces.settings(workspaceId);
  const lists = await automations.knownLists(workspaceId, flowNeeds(flow).listIds);
  const known = { lists, allowPrivateWebhooks, trackOpens, trackClicks, now: clock.now() };
  const ofFlow = await work.run(workspaceId, "problems", { flow, known });
  const troubles = await automations.troubles(workspaceId, id);
  const mails = await automations.waitingMail(workspaceId, id);
  const stopped = stops.automation(id);
  return [
    ...(stopped === null ? [] : [stoppedProblem(stopped)]),
    ...unwrap(ofFlow),
    ...inMjml,
    ...troubles.map((trouble) => troubleProblem(trouble, flow)),
    ...waitingProblems(mails, stops.mailing, { id, nodes: flow.nodes }),
  ];
}

/** The compiler's problems for each mail written in MJML. */
async function mjmlProblems(
  workspaceId: string,
  flow: Flow,
  work: Pick<Work, "run">,
): Promise<FlowProblem[]> {
  const problems: FlowProblem[] = [];
  for (const { id, index, source } of mjmlMails(flow)) {
    const html = await work.run(workspaceId, "liquidMjml", source);
    if (html.ok) continue;
    const message = `The MJML cannot be used: ${html.refusal.message}`;
    problems.push({ nodeId: id, path: `nodes[${index}].data.mjml`, message });
  }
  return problems;
}

function gone(id: string): never {
  throw notFound(`The automation ${id}`);
}
