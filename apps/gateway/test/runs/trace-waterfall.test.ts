import type { RunSpan, RunTrace } from "@openclaw/protocol";
import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { printWaterfall } from "../../src/runs/trace-waterfall.js";

const START = 1_700_000_000_000;

const span = (spanId: string, changes: Partial<RunSpan> = {}): RunSpan => ({
  spanId,
  kind: "step",
  name: spanId,
  at: START,
  durationMs: 0,
  status: "ok",
  summary: "done",
  attributes: {},
  ...changes,
});

const trace = (...spans: RunSpan[]): RunTrace => ({
  runId: "run-1",
  traceId: "0af7651916cd43dd8448eb211c80319c",
  sessionKey: "agent:main:main",
  agentId: "main",
  messageId: "message-1",
  state: "completed",
  spans,
  hasHooks: true,
});

function withoutEnd({ durationMs: _durationMs, ...rest }: RunSpan): RunSpan {
  return rest;
}

function printed(shown: RunTrace, options?: { everyHandler?: boolean }): string[] {
  const lines: string[] = [];
  const terminal = { print: (line: string) => void lines.push(line), colors: createColors(false) };
  printWaterfall(shown, terminal, options);
  return lines;
}

describe("printWaterfall", () => {
  it("prints the start, the duration, the description and the bar of each step", () => {
    const lines = printed(
      trace(
        span("m", { kind: "message", name: "terminal", summary: "from me", durationMs: 1000 }),
        span("r", {
          parentSpanId: "m",
          kind: "run",
          name: "main",
          at: START + 500,
          durationMs: 500,
        }),
        span("t", {
          parentSpanId: "r",
          kind: "tool",
          name: "exec",
          at: START + 990,
          durationMs: 2.5,
        }),
      ),
    );
    expect(lines.slice(5)).toEqual([
      "    start     took step",
      `  0.00 ms  1000 ms message terminal: from me${" ".repeat(38)}${"█".repeat(18)}`,
      `   500 ms   500 ms   run main: done${" ".repeat(47 + 9)}${"█".repeat(9)}`,
      `   990 ms  2.50 ms     tool exec: done${" ".repeat(44 + 17)}▏`,
    ]);
  });

  it("prints at most 100 columns and no control characters", () => {
    const long = "a very long text \u001b[2J\r\n".repeat(40);
    const lines = printed(
      trace(
        span("m", { kind: "message", name: long, summary: long }),
        span("h", {
          parentSpanId: "m",
          kind: "hook",
          name: "before_tool_call",
          summary: long,
          handlers: [
            {
              pluginId: long,
              outcome: "ok",
              durationMs: 12_345,
              attempts: 2,
              result: { guidance: long },
              patch: [{ op: "replace", path: "/params/x", value: long }],
            },
          ],
        }),
      ),
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.join("")).not.toMatch(/[\p{Cc}]/u);
  });

  it("marks failed, denied and running steps", () => {
    const lines = printed(
      trace(
        span("m", { kind: "message", name: "terminal" }),
        span("e", { parentSpanId: "m", status: "error" }),
        span("f", { parentSpanId: "m", status: "refused" }),
        withoutEnd(span("o", { parentSpanId: "m", status: "open" })),
      ),
    );
    expect(lines.slice(7).map((line) => line.slice(9, 23).trimEnd())).toEqual([
      "  0.00 ms✗  e:",
      "  0.00 ms⊘  f:",
      "        ……  o:",
    ]);
  });

  it("leaves out handlers without a result unless they are requested", () => {
    const silent = { pluginId: "quiet", outcome: "no-result", durationMs: 0.1 };
    const spoken = {
      pluginId: "guard",
      outcome: "terminal",
      durationMs: 0.2,
      result: { block: "true" },
    };
    const shown = trace(
      span("m", { kind: "message", name: "terminal" }),
      span("h", {
        parentSpanId: "m",
        kind: "hook",
        name: "before_tool_call",
        summary: "terminal",
        handlers: [silent, spoken],
      }),
      span("i", { parentSpanId: "m", kind: "hook", name: "agent_end", handlers: [silent] }),
    );
    const text = printed(shown).join("\n");
    expect(text).toContain("before_tool_call: 2 handlers, terminal");
    expect(text).toContain("· guard terminal in 0.20 ms");
    expect(text).toContain("block: true");
    expect(text).toContain("agent_end: 1 handler, no result");
    expect(text).not.toContain("quiet");
    expect(printed(shown, { everyHandler: true }).join("\n")).toContain("· quiet no-result");
    expect(printed({ ...shown, hasHooks: false }).at(-1)).toContain("No hook results");
  });
});
