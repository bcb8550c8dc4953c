import { useMemo } from "preact/hooks";
import type { LogLine } from "./log-lines.js";
import { text } from "./messages.js";

const MINUTE_MS = 60_000;
const MINUTES = 60;
const HEIGHT = 28;

/** Lines of each minute of the last hour; minutes with errors and warnings stand out. */
export function LogHistogram({ lines, minute }: { lines: readonly LogLine[]; minute: number }) {
  const bars = useMemo(() => {
    const end = Date.now();
    const counts = Array.from({ length: MINUTES }, () => ({ all: 0, level: "info" }));
    for (let index = lines.length - 1; index >= 0; index -= 1) {
      const line = lines[index];
      if (line === undefined || end - line.time > MINUTES * MINUTE_MS) break;
      const bar = counts[MINUTES - 1 - Math.max(0, Math.floor((end - line.time) / MINUTE_MS))];
      if (bar === undefined) continue;
      bar.all += 1;
      if (line.level === "error" || (line.level === "warn" && bar.level !== "error")) {
        bar.level = line.level;
      }
    }
    return counts;
  }, [minute, lines]);
  const most = Math.max(1, ...bars.map(({ all }) => all));
  const total = bars.reduce((sum, { all }) => sum + all, 0);
  return (
    <svg class="loghist" role="img" aria-label={text.perMinute(total)}>
      {bars.map(({ all, level }, index) => {
        const height = all === 0 ? 0 : Math.max(2, Math.round((HEIGHT * all) / most));
        return (
          <rect
            // Each minute has its place.
            key={index}
            data-l={level}
            x={`${(100 * index) / MINUTES}%`}
            y={HEIGHT - height}
            width="1.4%"
            height={height}
          />
        );
      })}
    </svg>
  );
}
