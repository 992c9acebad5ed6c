/** What a browser itself measures of a page (W3C: Paint Timing, Largest Contentful Paint, Layout Instability, Long Tasks). */
import type { Locator, Page } from "playwright-core";

type Figures = {
  readonly paint: number;
  readonly largest: number;
  /** When the main content of the screen was there. */
  readonly usable: number;
  /** The sum of the time that tasks took beyond 50 ms each. */
  readonly blocked: number;
  readonly shift: number;
};

/** Starts to measure before anything of the page runs. @param usable selector of the screen's main content */
export const watchAll = (page: Page, usable: string): Promise<unknown> =>
  page.addInitScript(`
    window.seen = { paint: 0, largest: 0, usable: 0, blocked: 0, shift: 0 };
    const watch = (type, take) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    watch("paint", (one) => one.name === "first-contentful-paint" && (seen.paint = one.startTime));
    watch("largest-contentful-paint", (one) => (seen.largest = one.startTime));
    watch("layout-shift", (one) => one.hadRecentInput || (seen.shift += one.value));
    watch("longtask", (one) => (seen.blocked += Math.max(0, one.duration - 50)));
    const look = () =>
      document.querySelector(${JSON.stringify(usable)}) ? (seen.usable = performance.now()) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  `);

export const watched = (page: Page): Promise<Figures> => page.evaluate<Figures>("window.seen");

type Scrolled = {
  readonly rows: number;
  readonly longestFrameMs: number;
  /** The share of frames in which a visible row was not loaded yet. */
  readonly waitingShare: number;
  readonly rowsDrawn: number;
};

const TURNS = 200;
const TURN_PX = 400;
const ENDS = 20;

/** Scrolls a table of rows by the wheel, about as fast as somebody can, and then by the End key. */
export async function scrolled(page: Page, table: Locator): Promise<Scrolled> {
  await page.evaluate(`
    window.frames_ = { count: 0, waiting: 0, longest: 0, drawn: 0, last: performance.now(), on: true };
    const inSight = (row, box) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > box.top && top < box.bottom;
    };
    const look = (now) => {
      const box = document.querySelector(".contacts-box").getBoundingClientRect();
      const waiting = [...document.querySelectorAll(".contacts-waiting")];
      frames_.count++;
      frames_.waiting += waiting.some((row) => inSight(row, box)) ? 1 : 0;
      frames_.longest = Math.max(frames_.longest, now - frames_.last);
      frames_.drawn = Math.max(frames_.drawn, document.querySelectorAll(".contacts-row").length);
      frames_.last = now;
      if (frames_.on) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  `);
  await table.hover();
  for (let turn = 0; turn < TURNS; turn++) await page.mouse.wheel(0, TURN_PX);
  await table.focus();
  for (let press = 0; press < ENDS; press++) {
    await page.keyboard.press("End");
    await page.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
    );
  }
  const rows = table.getByRole("row").last();
  return {
    rows: Number(await rows.getAttribute("aria-rowindex")) - 1,
    ...(await page.evaluate<Omit<Scrolled, "rows">>(`(() => {
      frames_.on = false;
      const { count, waiting, longest, drawn } = frames_;
      return { longestFrameMs: longest, waitingShare: waiting / count, rowsDrawn: drawn };
    })()`)),
  };
}

/** The memory that the page's scripts use, after a garbage collection. */
export async function heapMb(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize / 1024 / 1024;
}
