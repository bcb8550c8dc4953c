import { cost, dayName, tokens } from "../../text/format.js";
import { text } from "./messages.js";
import { exactCost, figureOf, type Unit, type UsageGroup } from "./usage.js";

const HEIGHT = 200;
/** Gap between two days, in percent of the plot. */
const GAP = 0.25;
/** Groups with a colour of their own; the others are one series. */
const SERIES = 5;

interface Series {
  readonly name: string;
  /** Figures by day. */
  readonly days: ReadonlyMap<string, number>;
}

/** Stacked bars of each day, and the same figures as a table. */
export function UsagePlot({
  groups,
  days,
  unit,
  group,
}: {
  groups: readonly UsageGroup[];
  days: readonly string[];
  unit: Unit;
  /** Word for what a group is. */
  group: string;
}) {
  const series = seriesOf(groups, unit);
  const sums = days.map((day) => series.reduce((sum, each) => sum + (each.days.get(day) ?? 0), 0));
  const top = Math.max(...sums);
  if (top === 0) return null;
  const width = 100 / days.length;
  const name = text.plot(unitName(unit), group);
  const step = Math.ceil(days.length / 8);
  return (
    <section class="sec">
      <div class="usage-plot">
        <div class="scale" aria-hidden="true">
          {[1, 0.5, 0].map((part) => (
            <span key={part}>{shortFigure(top * part, unit)}</span>
          ))}
        </div>
        <svg class="bars" height={HEIGHT} role="img" aria-label={name}>
          {[0, 0.5, 1].map((part) => {
            const y = (HEIGHT - 1) * part + 0.5;
            return <line key={part} class="grid-l" x1="0" x2="100%" y1={y} y2={y} />;
          })}
          {days.map((day, index) => {
            let below = 0;
            return series.map((each, place) => {
              const height = ((each.days.get(day) ?? 0) / top) * (HEIGHT - 1);
              below += height;
              return (
                <rect
                  key={`${day} ${each.name}`}
                  class={`s${place + 1}`}
                  x={`${index * width + GAP}%`}
                  width={`${Math.max(0, width - 2 * GAP)}%`}
                  y={HEIGHT - below}
                  height={height}
                />
              );
            });
          })}
        </svg>
        <div class="dates" aria-hidden="true">
          {days
            .filter((_, index) => index % step === 0)
            .map((day) => (
              <span key={day}>{dayName(day)}</span>
            ))}
        </div>
      </div>
      <p class="legend">
        {series.map(({ name: own }, place) => (
          <span key={own} class="clip">
            <i class={`s${place + 1}`} /> {own}
          </span>
        ))}
      </p>
      <details class="plot-table">
        <summary>{text.asTable}</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={name}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text.day}</th>
                {series.map(({ name: own }) => (
                  <th scope="col" key={own}>
                    {own}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day) => (
                <tr key={day}>
                  <th scope="row">{dayName(day)}</th>
                  {series.map(({ name: own, days: figures }) => (
                    <td key={own}>{figure(figures.get(day) ?? 0, unit)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function seriesOf(groups: readonly UsageGroup[], unit: Unit): readonly Series[] {
  const sorted = groups.toSorted((one, other) => figureOf(other, unit) - figureOf(one, unit));
  const own = sorted.slice(0, SERIES).map((each) => series(each.key || text.none, [each], unit));
  const rest = sorted.slice(SERIES);
  return rest.length === 0 ? own : [...own, series(text.other, rest, unit)];
}

function series(name: string, groups: readonly UsageGroup[], unit: Unit): Series {
  const days = new Map<string, number>();
  for (const period of groups.flatMap(({ periods = [] }) => periods)) {
    days.set(period.key, (days.get(period.key) ?? 0) + figureOf(period, unit));
  }
  return { name, days };
}

/** Returns the word of a unit. */
export function unitName(unit: Unit): string {
  return { cost: text.cost, tokens: text.tokens, calls: text.calls }[unit];
}

function figure(value: number, unit: Unit): string {
  if (value === 0) return "–";
  return unit === "cost" ? exactCost(String(value)) : value.toLocaleString();
}

function shortFigure(value: number, unit: Unit): string {
  if (unit === "cost") return cost(String(value));
  return tokens(Math.round(value));
}
