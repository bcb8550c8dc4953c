import type { CostDay } from "../../state/host.js";
import { cost, dayName } from "../../text/format.js";
import { text } from "./messages.js";

const HEIGHT = 56;
/** Gap between two days, in percent of the plot. */
const GAP = 0.5;

/** Cost of the newest days, with the budget of a day as a line. */
export function CostPlot({
  days,
  budget,
}: {
  days: readonly CostDay[];
  budget: string | undefined;
}) {
  const costs = days.map(({ key, costUsd }) => ({ key, amount: Number(costUsd), costUsd }));
  const limit = budget === undefined ? 0 : Number(budget);
  const top = Math.max(limit, ...costs.map(({ amount }) => amount));
  const [first] = costs;
  if (first === undefined || top === 0) return null;
  const width = 100 / costs.length;
  const words = costs.map(({ key, costUsd }) => text.dayCost(dayName(key), cost(costUsd)));
  const line = HEIGHT - (limit / top) * (HEIGHT - 2) - 1;
  return (
    <div class="sparkbox">
      <svg class="spark" role="img" aria-label={text.costPlot(words.join(", "))}>
        {costs.map(({ key, amount }, index) => {
          const height = amount === 0 ? 0 : Math.max(1, (amount / top) * (HEIGHT - 2));
          return (
            <rect
              key={key}
              class={index === costs.length - 1 ? "p1" : "p-dim"}
              x={`${index * width + GAP / 2}%`}
              width={`${width - GAP}%`}
              y={HEIGHT - height}
              height={height}
            />
          );
        })}
        {limit > 0 && <line class="rule" x1="0" x2="100%" y1={line} y2={line} />}
      </svg>
      <div class="ends">
        <span>{dayName(first.key)}</span>
        <span>{text.present}</span>
      </div>
    </div>
  );
}
