import { Link } from "wouter-preact";
import { Meter } from "../../components/meter.js";
import { isFilterKey, withFilter } from "./filter-text.js";
import { text } from "./messages.js";
import { exactCost, figureOf, type Unit, type UsageGroup, type UsageSums } from "./usage.js";

/** Groups of calls with their sums, and the sum of all calls as the gateway has it. */
export function UsageTable({
  groups,
  total,
  groupBy,
  unit,
  linkTo,
  written,
}: {
  groups: readonly UsageGroup[];
  total: UsageSums;
  groupBy: "agent" | "session" | "model" | "tool" | "sender" | "job";
  unit: Unit;
  /** Returns the path of the view with other values. */
  linkTo(changes: Readonly<Record<string, string>>): string;
  /** Filter as it is written. */
  written: string;
}) {
  const hasToolCosts = groups.some(({ toolCostUsd }) => toolCostUsd !== undefined);
  const whole = figureOf(total, unit);
  const columns = [
    [text[groupBy], ""],
    [text.share, "x"],
    [text.calls, "end x"],
    [text.input, "end x"],
    [text.fromCache, "end x"],
    [text.output, "end x"],
    [text.cost, "end"],
    [hasToolCosts ? text.toolCost : text.estimated, "end x"],
  ] as const;
  return (
    <>
      {groupBy === "tool" && <p class="sec dim t12">{text.severalTools}</p>}
      <div class="rows usage" role="table" aria-label={text[groupBy]}>
        <div class="row head" role="row">
          {columns.map(([name, place]) => (
            <span role="columnheader" class={place} key={name}>
              {name}
            </span>
          ))}
        </div>
        {groups.map((group) => {
          const { key, toolCostUsd } = group;
          const name = key === "" ? <span class="dim">{text.none}</span> : key;
          const percent = whole === 0 ? 0 : Math.round((figureOf(group, unit) / whole) * 100);
          return (
            <div class={isFilterKey(groupBy) ? "row act" : "row"} role="row" key={key}>
              <span role="cell" class="strong" title={key}>
                {isFilterKey(groupBy) ? (
                  <Link
                    class="cover"
                    href={linkTo({
                      q: withFilter(written, groupBy, key),
                      by: groupBy === "model" ? "agent" : "model",
                    })}
                  >
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </span>
              <span role="cell" class="x free">
                <Meter percent={percent} />
              </span>
              <Figures sums={group} />
              <span role="cell" class="end x sub" title={toolCostUsd && `$${toolCostUsd}`}>
                {hasToolCosts
                  ? toolCostUsd === undefined
                    ? "–"
                    : exactCost(toolCostUsd)
                  : estimated(group)}
              </span>
            </div>
          );
        })}
        <div class="row" role="row" data-total="">
          <span role="cell" class="strong">
            {groupBy === "tool" ? text.allCalls : text.total}
          </span>
          <span role="cell" class="x" />
          <Figures sums={total} />
          <span role="cell" class="end x sub">
            {!hasToolCosts && estimated(total)}
          </span>
        </div>
      </div>
    </>
  );
}

function Figures({ sums }: { sums: UsageSums }) {
  const { count, inputTokens, cacheReadTokens, outputTokens, costUsd } = sums;
  const cached = inputTokens === 0 ? 0 : Math.round((cacheReadTokens / inputTokens) * 100);
  return (
    <>
      <span role="cell" class="end x">
        {count.toLocaleString()}
      </span>
      <span role="cell" class="end x">
        {inputTokens.toLocaleString()}
      </span>
      <span role="cell" class="end x sub">
        {cached === 0 ? "–" : `${cached} %`}
      </span>
      <span role="cell" class="end x">
        {outputTokens.toLocaleString()}
      </span>
      <span role="cell" class="end" title={`$${costUsd}`}>
        {exactCost(costUsd)}
      </span>
    </>
  );
}

function estimated({ estimatedCalls }: UsageSums): string {
  return estimatedCalls === 0 ? "–" : text.estimatedCalls(estimatedCalls);
}
