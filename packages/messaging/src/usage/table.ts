import type { UsageGroup, UsageReport } from "./sums.js";

const FIGURES = [
  ["calls", "count"],
  ["input_tokens", "inputTokens"],
  ["cache_read_tokens", "cacheReadTokens"],
  ["output_tokens", "outputTokens"],
  ["total_tokens", "totalTokens"],
  ["cost_usd", "costUsd"],
  ["estimated_calls", "estimatedCalls"],
] as const;

/**
 * Returns sums as CSV (RFC 4180) with exact figures, a row for each group, or for each day or month of a group.
 * @param groupBy - name of the first column
 * @param report - sums
 */
export function usageTable(groupBy: string, { groups }: Pick<UsageReport, "groups">): string {
  const hasPeriods = groups.some(({ periods }) => periods !== undefined);
  const hasToolCosts = groups.some(({ toolCostUsd }) => toolCostUsd !== undefined);
  const head = [
    ...[groupBy, ...(hasPeriods ? ["period"] : []), ...FIGURES.map(([name]) => name)],
    ...(hasToolCosts ? ["tool_cost_usd"] : []),
  ];
  const rows = groups.flatMap((group): string[][] => {
    if (group.periods === undefined) {
      const own = hasToolCosts ? [group.toolCostUsd ?? "0"] : [];
      return [[textCell(group.key), ...figures(group), ...own]];
    }
    return group.periods.map((period) => [
      ...[textCell(group.key), textCell(period.key), ...figures(period)],
      ...(hasToolCosts ? [""] : []),
    ]);
  });
  return [head, ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

function figures(sum: Omit<UsageGroup, "key">): string[] {
  return FIGURES.map(([, name]) => String(sum[name]));
}

/** A spreadsheet runs a cell that begins like a formula; an apostrophe makes it text. */
function textCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
