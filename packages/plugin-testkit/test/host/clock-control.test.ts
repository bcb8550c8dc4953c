import { setImmediate as nextTurn } from "node:timers/promises";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createTestHost, sampleEvent } from "../../src/index.js";

const noParameters = { type: "object", properties: {}, additionalProperties: false } as const;

/** A plugin of the test's own. */
function plugin(register: PluginDefinition["register"]): PluginDefinition {
  return { id: "timed", register };
}

/** Until something has begun that the test is about to move the clock for. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}

describe("the clock of a test host", { timeout: 10_000 }, () => {
  it("[SDK-029] advances to the deadline of a hook", async () => {
    await using host = await createTestHost({
      plugin: plugin((api) => {
        api.on("before_tool_call", () => new Promise<undefined>(() => {}), { timeoutMs: 600_000 });
      }),
    });
    const evaluated = host.fire("before_tool_call", sampleEvent("before_tool_call"));
    await host.advance(600_100);
    expect(await evaluated).toMatchObject({
      block: true,
      blockReason: expect.stringContaining("did not answer in time"),
    });
  });

  it("[SDK-029] advances to the deadline of a tool", async () => {
    let hasBegun = false;
    await using host = await createTestHost({
      plugin: plugin((api) => {
        api.registerTool({
          name: "hang",
          description: "Never answers.",
          parameters: noParameters,
          timeoutMs: 600_000,
          execute: () => {
            hasBegun = true;
            return new Promise<string>(() => {});
          },
        });
      }),
    });
    const call = host.callTool("hang");
    await until(() => hasBegun);
    await host.advance(600_000);
    expect((await call).text).toBe("Tool timed out after 600000 ms");
  });

  it("[SDK-029] skips the backoff between the attempts of a handler", async () => {
    const attempts: number[] = [];
    await using host = await createTestHost({
      plugin: plugin((api) => {
        api.on(
          "message_sent",
          () => {
            attempts.push(host.clock.now());
            if (attempts.length < 3) throw new Error("not yet");
          },
          { retry: { count: 2, backoffMs: 60_000 }, timeoutMs: 600_000 },
        );
      }),
    });
    const told = host.fire("message_sent", sampleEvent("message_sent"));
    await host.advance(200_000);
    await told;
    const [first = 0] = attempts;
    expect(attempts.map((at) => at - first)).toEqual([0, 60_000, 180_000]);
  });

  it("[SDK-029] lets an approval request expire", async () => {
    await using host = await createTestHost({
      answer: () => undefined,
      model: [{ toolCalls: [{ toolName: "act", params: {} }] }, { text: "It was not allowed." }],
      plugin: plugin((api) => {
        api.registerTool({
          name: "act",
          description: "Acts.",
          parameters: noParameters,
          approval: "always",
          execute: () => "acted",
        });
      }),
    });
    const turn = host.turn("act");
    await until(() => host.questions.length === 1);
    await host.advance(1_799_000);
    expect(host.questions[0]).toMatchObject({ tool: "act", expiresAt: host.clock.now() + 1000 });
    await host.advance(1000);
    expect(await turn).toMatchObject({ status: "replied", text: "It was not allowed." });
    expect(JSON.stringify(host.modelRequests[1])).toContain("no answer within 1800 s");
  });
});
