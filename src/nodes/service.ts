import type { SignedIn } from "#core/request/access.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import { ENDED_SHOWN_MS, NODES_SHOWN_MAX, type Node } from "./node.ts";
import type { NodeStore } from "./store.ts";

type Parts = {
  readonly nodes: NodeStore;
  /** Whether the person owns every workspace there is. */
  ownsEverything(userId: string): Promise<boolean>;
  readonly clock: Clock;
};

export type NodeService = ReturnType<typeof nodeService>;

export const nodeService = ({ nodes, ownsEverything, clock }: Parts) => ({
  /** @throws AppError FORBIDDEN for a person who does not own every workspace */
  async list({ userId }: SignedIn): Promise<Node[]> {
    if (!(await ownsEverything(userId)))
      throw new AppError(
        "FORBIDDEN",
        "The nodes serve every workspace: only somebody who owns all of them may see the nodes.",
      );
    return await nodes.list(clock.now() - ENDED_SHOWN_MS, NODES_SHOWN_MAX);
  },
});
