import {
  LiquidError,
  RenderError,
  toValueSync,
  type Context,
  type Emitter,
  type Liquid,
  type Template,
} from "liquidjs";

/**
 * Makes an engine render the templates of a block in a plain loop. liquidjs does it in a generator that can wait
 * for promises, and checks the time before every template. Our templates wait for nothing, and their steps are
 * counted (`allowance.ts`).
 */
export function renderPlainly({ renderer }: Liquid): void {
  Object.assign(renderer, {
    renderTemplates(templates: readonly Template[], context: Context, emitter: Emitter): string {
      count(context);
      for (const template of templates) {
        count(context);
        renderOne(template, context, emitter);
        if (context.breakCalled || context.continueCalled) break;
      }
      return emitter.buffer;
    },
  });
}

const count = ({ renderLimit }: Context): void => renderLimit.check(0);

function renderOne(template: Template, context: Context, emitter: Emitter): void {
  try {
    const text: unknown = toValueSync(template.render(context, emitter) as unknown);
    // Some tags return their text, the others write it.
    if (text) emitter.write(text);
  } catch (error) {
    throw LiquidError.is(error) ? error : new RenderError(error as Error, template);
  }
}
