import type { TimeTick } from "./time-ticks.ts";

type Props = {
  readonly x?: number | string;
  readonly y?: number | string;
  readonly payload?: { readonly value?: unknown };
};

/** Draws the marks of an axis of time. The day stands in a line of its own, so that all marks are equally wide. */
export function axisTick(ticks: readonly TimeTick[]) {
  return function AxisTick({ x, y, payload }: Props) {
    const tick = ticks.find(({ at }) => at === payload?.value);
    if (tick === undefined) return <g />;
    return (
      <text className="recharts-text" x={x} y={y} textAnchor="middle" fontSize={12} fill="currentColor">
        <tspan x={x} dy="1.2em">
          {tick.label}
        </tspan>
        {tick.day !== null && (
          <tspan x={x} dy="1.4em" fontWeight={600}>
            {tick.day}
          </tspan>
        )}
      </text>
    );
  };
}
