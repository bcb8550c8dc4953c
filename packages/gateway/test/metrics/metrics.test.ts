import { tracingChannel } from "node:diagnostics_channel";
import { describe, expect, it, onTestFinished } from "vitest";
import { GatewayMetrics, type MetricSources } from "../../src/metrics/metrics.js";
import { createTestHost, message, type TestHost } from "../support/host.js";

function metricsOf(host: TestHost, sources: Partial<MetricSources> = {}): GatewayMetrics {
  const metrics = new GatewayMetrics({
    hookCounts: () => host.plugins.inspection.counters(),
    counters: () => host.services.counters.values(),
    queueDepth: () => host.live.size,
    pendingApprovals: async () => 0,
    connections: () => 0,
    droppedEvents: () => 0,
    ...sources,
  });
  onTestFinished(() => metrics.close());
  return metrics;
}

/** Returns the lines of a scrape that have values. */
async function scrape(metrics: GatewayMetrics): Promise<readonly string[]> {
  return (await metrics.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

describe("GatewayMetrics", () => {
  it("[GW-050] counts turns, tools, models, tokens, hooks, queue, approvals, connections, drops, event loop and memory", async () => {
    const host = await createTestHost({
      script: ({ prompt }) =>
        JSON.stringify(prompt).includes("fetched")
          ? { text: "done", usage: { input: 7, output: 2 } }
          : { toolCalls: [{ toolName: "look", params: {} }] },
      register: (api) => {
        api.on("after_tool_call", () => Promise.reject(new Error("no")));
        api.registerTool({
          name: "look",
          description: "looks",
          parameters: { type: "object", properties: {} },
          execute: () => "fetched",
        });
      },
    });
    const metrics = metricsOf(host, {
      queueDepth: () => 3,
      pendingApprovals: async () => 2,
      connections: () => 4,
      droppedEvents: () => 5,
    });
    const outcome = await host.flow.receive(message("go"), {});
    expect(outcome).toMatchObject({ status: "replied" });
    const lines = await scrape(metrics);
    expect(lines).toEqual(
      expect.arrayContaining([
        'openclaw_turns_total{outcome="completed"} 1',
        'openclaw_turn_duration_seconds_count{outcome="completed"} 1',
        'openclaw_tool_calls_total{tool="look",outcome="ok"} 1',
        'openclaw_tool_duration_seconds_count{tool="look"} 1',
        'openclaw_model_duration_seconds_count{model="scripted/script"} 2',
        expect.stringMatching(
          /^openclaw_tokens_total\{model="scripted\/script",direction="input"\} /,
        ),
        'openclaw_hook_failures_total{plugin="guard",kind="error"} 1',
        'openclaw_hook_duration_seconds_count{hook="after_tool_call"} 1',
        "openclaw_queue_depth 3",
        "openclaw_approvals_pending 2",
        "openclaw_connections 4",
        "openclaw_events_dropped_total 5",
        "openclaw_inbound_duplicates_total 0",
        expect.stringMatching(/^nodejs_eventloop_lag_p99_seconds /),
        expect.stringMatching(/^process_resident_memory_bytes /),
      ]),
    );
    expect(lines.join("\n")).not.toContain("agent:main");
  });

  it("[GW-050] has at most 2,000 series, and counts the rest as `other`", async () => {
    const host = await createTestHost();
    const failures = Array.from({ length: 500 }, (_, index) => ({
      ...{ registrationId: `r${index}`, owner: `plugin-${index}`, hook: "agent_end" },
      ...{ dispatched: 9, ok: 0, skipped: 0, late: 0 },
      failed: { HOOK_TIMEOUT: 1, HOOK_THREW: 1 },
      rewrote: [],
      latency: { samples: 0, p50Ms: 0, p99Ms: 0, maxMs: 0, buckets: [] },
    }));
    const counted = host.plugins.inspection.counters();
    const latency = {
      samples: 1,
      p50Ms: 1,
      p99Ms: 1,
      maxMs: 1,
      buckets: [{ upToMs: 1, count: 1 }],
    };
    const hooks = Object.fromEntries(
      Object.entries(counted.hooks).map(([name, counts]) => [name, { ...counts, latency }]),
    );
    const metrics = metricsOf(host, { hookCounts: () => ({ hooks, registrations: failures }) });
    for (let index = 0; index < 500; index += 1) {
      const ended = { durationMs: 5, outcome: "ok", toolName: `tool-${index}` };
      for (const outcome of ["ok", "threw", "timeout", "aborted", "result-error"]) {
        tracingChannel("openclaw:tool").asyncEnd.publish({ ...ended, outcome });
      }
      const model = {
        provider: "p",
        model: `m-${index}`,
        inputTokens: 1,
        outputTokens: 1,
        costUsd: 0.1,
      };
      tracingChannel("openclaw:llm").asyncEnd.publish({ ...model, errorCode: "MODEL_X" });
    }
    for (const outcome of [
      "completed",
      "failed",
      "blocked",
      "interrupted",
      "paused",
      "suspended",
    ]) {
      tracingChannel("openclaw:turn").asyncEnd.publish({ outcome, durationMs: 1 });
    }
    const lines = await scrape(metrics);
    expect(lines).toContain('openclaw_tool_calls_total{tool="other",outcome="ok"} 460');
    expect(lines).toContain('openclaw_hook_failures_total{plugin="other",kind="timeout"} 440');
    expect(lines.length).toBeGreaterThan(1000);
    expect(lines.length).toBeLessThanOrEqual(2000);
  });

  it("stops counting when it is closed", async () => {
    const host = await createTestHost();
    const metrics = metricsOf(host);
    metrics.close();
    await host.flow.receive(message("go"), {});
    expect(await scrape(metrics)).toEqual([]);
  });
});
