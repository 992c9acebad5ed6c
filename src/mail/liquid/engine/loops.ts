/**
 * What loops over an object cost. liquidjs makes a list of all its entries, however few of them the loop
 * takes, and counts nothing for it.
 */
import { evalToken, ForTag, TablerowTag, TypeGuards, type Context, type Emitter, type Token } from "liquidjs";
import { spendingOf, type FillContext } from "./fill-context.ts";
import { ASK_LIQUIDJS, plainPath, valueAt } from "#mail/liquid/liquid-holes.ts";

export class CountedFor extends ForTag {
  override *render(context: Context, emitter: Emitter): ReturnType<ForTag["render"]> {
    spendingOf(context).list(yield* collectionOf(this.collection, context as FillContext));
    yield* super.render(context, emitter);
  }
}

export class CountedTablerow extends TablerowTag {
  override *render(context: Context, emitter: Emitter): ReturnType<TablerowTag["render"]> {
    spendingOf(context).list(yield* collectionOf(this.collection, context as FillContext));
    yield* super.render(context, emitter);
  }
}

/** The collection is looked up twice, so directly if that is possible. A range is no object. */
function* collectionOf(token: Token, context: FillContext): Generator<unknown, unknown, unknown> {
  if (!TypeGuards.isPropertyAccessToken(token)) return null;
  const path = plainPath(token);
  const found = path === null ? ASK_LIQUIDJS : valueAt(context.scopeOf(path[0]), path);
  return found === ASK_LIQUIDJS ? yield evalToken(token, context) : found;
}
