import { describe, expect, it } from "vitest";
import { usageTable } from "../../src/index.js";

const FIGURES = {
  count: 2,
  inputTokens: 10,
  outputTokens: 4,
  totalTokens: 14,
  cacheReadTokens: 3,
  costUsd: "0.000000000001",
  estimatedCalls: 1,
};

describe("usageTable", () => {
  it("[GW-570] writes exact figures, and no key that a spreadsheet would run", () => {
    const table = usageTable("session", {
      groups: [
        { key: '=HYPERLINK("https://x.invalid")', ...FIGURES },
        { key: "@a,b\nc", ...FIGURES },
        { key: "agent:main:notes", ...FIGURES },
      ],
    });
    expect(table.split("\r\n")).toEqual([
      "session,calls,input_tokens,cache_read_tokens,output_tokens,total_tokens,cost_usd,estimated_calls",
      `"'=HYPERLINK(""https://x.invalid"")",2,10,3,4,14,0.000000000001,1`,
      `"'@a,b\nc",2,10,3,4,14,0.000000000001,1`,
      "agent:main:notes,2,10,3,4,14,0.000000000001,1",
      "",
    ]);
  });

  it("[GW-570] has a column for what tools cost themselves", () => {
    const group = { key: "exec", ...FIGURES, toolCostUsd: "0.25" };
    const [head, row] = usageTable("tool", { groups: [group] }).split("\r\n");
    expect(head).toMatch(/,tool_cost_usd$/);
    expect(row).toMatch(/,0\.25$/);
  });
});
