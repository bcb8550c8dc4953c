import type { HookContext } from "@openclaw/plugin-sdk";
import type { NestedToolResult, ToolFactoryContext } from "@openclaw/plugin-sdk/tools";
import { expect, it } from "vitest";
import { runTool } from "../../src/index.js";
import { approver } from "../support/authorized-call.js";
import { plugin, type TurnHostOptions, tool, turnHost } from "../support/turn-host.js";

type Call = NonNullable<ToolFactoryContext["callTool"]>;

/** Runs the plugin tool `outer`, which makes nested calls. */
async function outer(
  work: (call: Call, id: string) => unknown,
  {
    approved = "allow-once" as const,
    ...options
  }: TurnHostOptions & { approved?: "allow-once" | "deny" } = {},
) {
  const seen: HookContext<"before_tool_call">[] = [];
  const host = await turnHost({
    ...options,
    plugins: [
      plugin("outer", (api) => {
        api.on("before_tool_call", (_event, context) => {
          seen.push(context);
          return undefined;
        });
        api.registerTool(({ callTool, requester }) => {
          if (callTool === undefined) return null;
          return tool("outer", {
            execute: async (id) => ({
              content: [{ type: "text", text: "done" }],
              details: JSON.parse(JSON.stringify({ result: await work(callTool, id), requester })),
            }),
          });
        });
      }),
      ...(options.plugins ?? []),
    ],
  });
  const { text: _text, ...request } = host.request();
  const asked = { ...request, approver: approver(approved) };
  const call = { toolCallId: "call-1", toolName: "outer", params: {} };
  const message = await runTool(call, asked, host.services, host.pin);
  const { result, requester } = message.details as unknown as {
    result: NestedToolResult;
    requester: object;
  };
  return { host, result, requester, seen, message };
}

const nested = (parentToolCallId: string, name = "work") => ({
  parentToolCallId,
  parentStepId: "step",
  tool: name,
  params: {},
});

it("[TURN-090] takes the path of a model's call, and hooks see the call that made it", async () => {
  const { host, result, requester, seen } = await outer((call, id) => call(nested(id)), {
    coreTools: [tool("work")],
  });
  expect(result).toMatchObject({ status: "ok", content: [{ type: "text", text: "work ran" }] });
  expect(requester).toMatchObject({ senderId: host.request().origin.senderId });
  const [first, second] = seen;
  expect(first).toMatchObject({ toolName: "outer", callDepth: 0 });
  expect(first).not.toHaveProperty("parentToolCallId");
  expect(second).toMatchObject({
    toolName: "work",
    toolCallId: result.toolCallId,
    parentToolCallId: "call-1",
    parentStepId: "step",
    callDepth: 1,
    traceId: first?.traceId,
  });
  // The events of the turn describe the call of the model.
  expect(host.events.map(({ type }) => type)).toEqual(["tool-started", "tool-finished"]);
});

it("[TURN-090] names the decision that denied it, and never throws for it", async () => {
  const denied = await outer((call, id) => call(nested(id)), {
    coreTools: [tool("work")],
    layers: [{ layer: "global", deny: ["work"] }],
  });
  expect(denied.result).toMatchObject({
    status: "denied",
    decider: expect.stringMatching(/^policy:/),
    decisionId: expect.any(String),
  });
});

it("[TURN-090] reports a failing tool, and one that does not exist", async () => {
  const { result } = await outer(
    async (call, id) => [await call(nested(id)), await call(nested(id, "missing"))],
    {
      coreTools: [
        tool("work", {
          execute: () => {
            throw new Error("broken");
          },
        }),
      ],
    },
  );
  expect(result).toMatchObject([
    { status: "failed", content: [{ text: "work failed: broken" }] },
    { status: "failed", content: [{ text: "Unknown tool: missing" }] },
  ]);
});

it.each([
  ["allow-once", { status: "ok" }],
  ["deny", { status: "denied", decider: "approval" }],
] as const)(
  "[TURN-090] waits for an approval, which is settled with %s",
  async (approved, expected) => {
    const waits: string[] = [];
    const { result } = await outer(
      (call, id) =>
        call({
          ...nested(id),
          onApprovalPending: (approvalId) => waits.push(approvalId),
          onApprovalSettled: () => waits.push("settled"),
        }),
      { coreTools: [tool("work", { approval: "always" })], approved },
    );
    expect(result).toMatchObject(expected);
    expect(waits).toEqual([expect.any(String), "settled"]);
  },
);

it("[TURN-090] is cancelled by its signal, with its approval request", async () => {
  const stop = new AbortController();
  const host = await turnHost({
    coreTools: [tool("work", { approval: "always" })],
    plugins: [
      plugin("outer", (api) =>
        api.registerTool(({ callTool }) =>
          tool("outer", {
            execute: async (id) => {
              const result = await callTool?.({
                ...nested(id),
                signal: stop.signal,
                onApprovalPending: () => stop.abort(new Error("enough")),
              });
              return { content: [], details: JSON.parse(JSON.stringify(result)) };
            },
          }),
        ),
      ),
    ],
  });
  const { text: _text, ...request } = host.request({ isAttended: () => true });
  const call = { toolCallId: "call-1", toolName: "outer", params: {} };
  const message = await runTool(call, request, host.services, host.pin);
  expect(message.details).toMatchObject({ status: "failed", content: [{ text: "Tool aborted" }] });
  expect(await host.store.decisions.approvals.list()).toMatchObject([{ state: "cancelled" }]);
});

it("[TURN-090] is denied five levels deep", async () => {
  const depths: string[] = [];
  const { result } = await outer(async (call, id) => {
    const down = async (parent: string, level: number): Promise<NestedToolResult> => {
      depths.push(String(level));
      return await call(nested(parent, "outer"));
    };
    return depths.length > 20 ? null : await down(id, depths.length);
  });
  expect(depths).toEqual(["0", "1", "2", "3", "4"]);
  expect(JSON.stringify(result)).toContain("at most 4 are allowed");
});
