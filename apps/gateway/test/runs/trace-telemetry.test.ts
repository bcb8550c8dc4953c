import { describe, expect, it } from "vitest";
import { telemetryOf } from "../../src/runs/trace-telemetry.js";

describe("telemetryOf", () => {
  it("returns IDs, times in nanoseconds, typed attributes and a status in the JSON form of OTLP", () => {
    const request = telemetryOf({
      runId: "run-1",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      sessionKey: "agent:main:main",
      agentId: "main",
      messageId: "message-1",
      state: "completed",
      hasHooks: true,
      spans: [
        {
          spanId: "b7ad6b7169203331",
          parentSpanId: "00f067aa0ba902b7",
          kind: "hook",
          name: "before_tool_call",
          at: 1_700_000_000_000.5,
          durationMs: 0.25,
          status: "error",
          summary: "it failed",
          attributes: { kind: "decide", count: 2, share: 0.5, ran: true },
          handlers: [{ pluginId: "guard", outcome: "threw", durationMs: 0.125 }],
        },
      ],
    });
    expect(request).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "openclaw" } }] },
          scopeSpans: [
            {
              scope: { name: "openclaw" },
              spans: [
                {
                  traceId: "0af7651916cd43dd8448eb211c80319c",
                  spanId: "b7ad6b7169203331",
                  parentSpanId: "00f067aa0ba902b7",
                  name: "hook before_tool_call",
                  kind: 1,
                  startTimeUnixNano: "1700000000000500000",
                  endTimeUnixNano: "1700000000000750000",
                  attributes: [
                    { key: "openclaw.hook.kind", value: { stringValue: "decide" } },
                    { key: "openclaw.hook.count", value: { intValue: "2" } },
                    { key: "openclaw.hook.share", value: { doubleValue: 0.5 } },
                    { key: "openclaw.hook.ran", value: { boolValue: true } },
                  ],
                  events: [{ timeUnixNano: "1700000000000625000", name: "guard: threw" }],
                  status: { code: 2, message: "it failed" },
                },
              ],
            },
          ],
        },
      ],
    });
  });
});
