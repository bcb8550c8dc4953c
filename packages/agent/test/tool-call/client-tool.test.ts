import { describe, expect, it } from "vitest";
import { calling, plugin, turnHost } from "../support/turn-host.js";

const tools = [{ name: "ask_client", description: "Asks.", parameters: { type: "object" } }];

describe("tool of a client", () => {
  it("[GW-036] ends the turn with its call after the calls of the host's tools", async () => {
    const host = await turnHost({
      script: [
        {
          text: "Wait.",
          toolCalls: [
            { toolName: "ask_client", params: { q: 1 }, toolCallId: "one" },
            { toolName: "unknown", toolCallId: "two" },
          ],
        },
      ],
    });
    expect(await host.run({ client: { tools } })).toMatchObject({
      status: "completed",
      text: "Wait.",
      stopReason: "client-tools",
      clientCalls: [{ toolCallId: "one", toolName: "ask_client", params: { q: 1 } }],
    });
    const written = await host.transcript();
    expect(written.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
    expect(written.at(-1)).toMatchObject({ toolCallId: "two", isError: true });
  });

  it("[GW-036] is not called when a hook blocks it, and the model continues", async () => {
    const host = await turnHost({
      script: [calling("ask_client"), { text: "done" }],
      plugins: [
        plugin("guard", (api) => {
          api.on("before_tool_call", () => ({ block: true, blockReason: "no" }));
        }),
      ],
    });
    const outcome = await host.run({ client: { tools } });
    expect(outcome).toMatchObject({ status: "completed", text: "done", stopReason: "stop" });
    expect(outcome).not.toHaveProperty("clientCalls");
  });

  it("[GW-036] fails the turn when policy denies it", async () => {
    const host = await turnHost({ layers: [{ layer: "global", deny: ["ask_client"] }] });
    expect(await host.run({ client: { tools } })).toMatchObject({
      status: "failed",
      error: { code: "CLIENT_TOOL_DENIED" },
    });
    expect(host.requests).toEqual([]);
  });

  it("[GW-036] begins a turn with its result, which the safety engine has inspected", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const host = await turnHost({ script: [{ text: "done" }] });
    const call = { toolCallId: "one", toolName: "ask_client", params: {} };
    const content = [{ type: "text" as const, text: `the token is ${secret}` }];
    const results = [{ ...call, content, isError: false }];
    await host.run({ client: { results } });
    const written = await host.transcript();
    expect(written.map(({ role }) => role)).toEqual(["toolResult", "assistant"]);
    expect(JSON.stringify(written)).toContain("the token is");
    expect(JSON.stringify(written)).not.toContain(secret);
  });
});
