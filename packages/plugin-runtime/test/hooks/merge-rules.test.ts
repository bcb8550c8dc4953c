import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { HookHandler, HookName, RequireApproval } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it, vi } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

const CONTEXT = { callDepth: 0 };

/** Dispatchers of a runtime in which each handler belongs to a separate plugin, in order. */
async function hooksWith<Name extends HookName>(name: Name, ...handlers: HookHandler<Name>[]) {
  const { runtime } = createTestHost(
    handlers.map((handler, index) =>
      plugin((api) => void anyOn(api)(name, handler), `plugin-${index + 1}`),
    ),
  );
  await runtime.load();
  return runtime.hooks;
}

/** `api.on` for handlers whose answers were checked before, where their types are still open. */
function anyOn(api: OpenClawPluginApi) {
  return api.on as <Name extends HookName>(name: Name, handler: HookHandler<Name>) => unknown;
}

const call = { toolName: "exec", params: { command: "ls" } };

describe("before_tool_call", () => {
  it("passes rewritten params to later handlers; the last rewrite wins", async () => {
    const hooks = await hooksWith(
      "before_tool_call",
      ({ params }) => ({ params: { ...params, first: true } }),
      ({ params }) => ({ params: { ...params, second: true } }),
    );
    expect(await hooks.decide("before_tool_call", call, CONTEXT)).toEqual({
      params: { command: "ls", first: true, second: true },
    });
    expect(call.params).toEqual({ command: "ls" });
  });

  it("joins guidance and accepts any request to reconsider", async () => {
    const hooks = await hooksWith(
      "before_tool_call",
      () => ({ guidance: "be careful", requestReconsideration: true }),
      () => ({ guidance: "be quick", requestReconsideration: false }),
    );
    expect(await hooks.decide("before_tool_call", call, CONTEXT)).toEqual({
      guidance: "be careful\n\nbe quick",
      requestReconsideration: true,
    });
  });

  it("ends at block: true and ignores block: false", async () => {
    const later = vi.fn();
    const hooks = await hooksWith(
      "before_tool_call",
      () => ({ block: false }),
      () => ({ block: true, blockReason: "no" }),
      later,
    );
    expect(await hooks.decide("before_tool_call", call, CONTEXT)).toMatchObject({
      block: true,
      blockReason: "no",
    });
    expect(later).not.toHaveBeenCalled();
  });

  it("merges approval requests: text of the first, highest severity, deny on timeout", async () => {
    const told: string[] = [];
    const hooks = await hooksWith(
      "before_tool_call",
      () => ({
        requireApproval: {
          title: "First",
          description: "the first asks",
          timeoutBehavior: "allow",
          allowedDecisions: ["allow-once", "deny"],
          onResolution: (decision) => void told.push(`first ${decision}`),
        },
      }),
      () => ({
        requireApproval: {
          title: "Second",
          description: "the second asks",
          severity: "critical",
          timeoutMs: 5_000,
          pluginId: "somebody-else",
          onResolution: async (decision) => {
            told.push(`second ${decision}`);
            throw new Error("its own affair");
          },
        },
      }),
      () => ({
        requireApproval: {
          title: "Third",
          description: "the third asks",
          severity: "info",
          timeoutBehavior: "allow",
          allowedDecisions: ["allow-always", "deny"],
        },
      }),
    );
    const verdict = await hooks.decide("before_tool_call", call, CONTEXT);
    const question = verdict?.requireApproval;
    expect(question).toEqual({
      title: "First",
      description: "the first asks",
      pluginId: "plugin-1",
      severity: "critical",
      timeoutMs: 5_000,
      timeoutBehavior: "deny",
      allowedDecisions: ["deny"],
      onResolution: expect.any(Function),
    });
    await expect(question?.onResolution?.("deny")).rejects.toThrow("its own affair");
    expect(told).toEqual(["first deny", "second deny"]);
  });

  it.each<[string, unknown]>([
    ["no title", { title: " ", description: "d" }],
    ["a description that is no text", { title: "t", description: 1 }],
    ["an unknown severity", { title: "t", description: "d", severity: "toString" }],
    ["a deadline that is no number", { title: "t", description: "d", timeoutMs: Number.NaN }],
    ["an unknown decision", { title: "t", description: "d", allowedDecisions: ["maybe"] }],
  ])("denies a call when a handler requests approval with %s", async (_what, requireApproval) => {
    const hooks = await hooksWith("before_tool_call", () => ({
      requireApproval: requireApproval as RequireApproval,
    }));
    expect(await hooks.decide("before_tool_call", call, CONTEXT)).toEqual({
      block: true,
      blockReason: 'plugin "plugin-1" guards this step and gave an answer that cannot be used',
    });
  });

  it("denies when a guard throws, without the error's text", async () => {
    const hooks = await hooksWith("before_tool_call", () => {
      throw new Error("the password is hunter2");
    });
    const verdict = await hooks.decide("before_tool_call", call, CONTEXT);
    expect(verdict).toEqual({
      block: true,
      blockReason: 'plugin "plugin-1" guards this step and failed',
    });
  });
});

describe("before_agent_run", () => {
  const run = { prompt: "hi", messages: [] };

  it.each([
    ["nothing", undefined, undefined],
    ["pass", { outcome: "pass" }, "pass"],
    ["block", { outcome: "block", message: "not today" }, "block"],
    ["null", null, "block"],
    ["an empty object", {}, "block"],
    ["another word", { outcome: "perhaps" }, "block"],
    ["a field of a wrong type", { outcome: "pass", message: 7 }, "block"],
    ["a string", "pass", "block"],
  ])("applies its rule to %s", async (_what, answer, outcome) => {
    const hooks = await hooksWith("before_agent_run", () => answer as undefined);
    expect((await hooks.decide("before_agent_run", run, CONTEXT))?.outcome).toBe(outcome);
  });
});

describe("before_prompt_build", () => {
  const build = { prompt: "hi", messages: [] };

  it("takes the first system prompt and joins the other parts in order", async () => {
    const hooks = await hooksWith(
      "before_prompt_build",
      () => ({ systemPrompt: "one", prependContext: "a" }),
      () => ({ systemPrompt: "two", prependContext: "b", appendSystemContext: "c" }),
    );
    expect(await hooks.rewrite("before_prompt_build", build, CONTEXT)).toEqual({
      systemPrompt: "one",
      prependContext: "a\n\nb",
      appendSystemContext: "c",
    });
  });

  it.each<[string, unknown[], string[]]>([
    [
      "narrows by each list",
      [
        ["read", "exec"],
        ["exec", "list"],
      ],
      ["exec"],
    ],
    ["allows no tool by an empty list", [["read"], []], []],
    ["allows no tool by something that is no list", [["read"], "read"], []],
    ["allows no tool by a list of something else", [[1, 2]], []],
  ])("%s", async (_what, lists, allowed) => {
    const hooks = await hooksWith(
      "before_prompt_build",
      ...lists.map((list) => () => ({ toolsAllow: list as string[] })),
    );
    expect(await hooks.rewrite("before_prompt_build", build, CONTEXT)).toEqual({
      toolsAllow: allowed,
    });
  });
});

describe("before_agent_finalize", () => {
  const final = { sessionId: "s", stopHookActive: false, attempt: 1 };

  it("joins the instructions of plugins that request another pass, and keeps the first key", async () => {
    const hooks = await hooksWith(
      "before_agent_finalize",
      () => ({
        action: "revise",
        reason: "too long",
        retry: { instruction: "shorten", idempotencyKey: "k" },
      }),
      () => ({ action: "continue" }),
      () => ({
        action: "revise",
        reason: "too loud",
        retry: { instruction: "whisper", maxAttempts: 9 },
      }),
    );
    expect(await hooks.decide("before_agent_finalize", final, CONTEXT)).toEqual({
      action: "revise",
      reason: "too long\n\ntoo loud",
      retry: { instruction: "shorten\n\nwhisper", idempotencyKey: "k" },
    });
  });

  it("ends with finalize, regardless of earlier results", async () => {
    const later = vi.fn();
    const hooks = await hooksWith(
      "before_agent_finalize",
      () => ({ action: "revise", reason: "again" }),
      () => ({ action: "finalize", reason: "enough" }),
      later,
    );
    expect(await hooks.decide("before_agent_finalize", final, CONTEXT)).toMatchObject({
      action: "finalize",
      reason: "enough",
    });
    expect(later).not.toHaveBeenCalled();
  });
});

describe("message hooks", () => {
  it("merge metadata into the event for later handlers, and keep the last content", async () => {
    const seen: unknown[] = [];
    const hooks = await hooksWith(
      "message_receiving",
      () => ({ content: "one", metadata: { a: 1 } }),
      ({ content, metadata }) => {
        seen.push(content, metadata);
        return { content: "two", metadata: { b: 2 } };
      },
    );
    const event = {
      content: "zero",
      from: "me",
      channel: "terminal",
      isGroup: false,
      metadata: { z: 0 },
    };
    expect(await hooks.decide("message_receiving", event, CONTEXT)).toEqual({
      content: "two",
      metadata: { a: 1, b: 2 },
    });
    expect(seen).toEqual(["one", { z: 0, a: 1 }]);
  });

  it("end a dispatch by cancel and by handled", async () => {
    const event = {
      content: "hi",
      kind: "final",
      channel: "terminal",
      to: "me",
      payload: { text: "hi" },
      timestamp: 0,
    } as const;
    for (const answer of [{ cancel: true }, { handled: true, text: "instead" }]) {
      const later = vi.fn();
      const hooks = await hooksWith("before_dispatch", () => answer, later);
      expect(await hooks.decide("before_dispatch", event, CONTEXT)).toEqual(answer);
      expect(later).not.toHaveBeenCalled();
    }
  });

  it("ignore a result whose metadata is larger than 4 KiB", async () => {
    const hooks = await hooksWith("message_sending", () => ({
      cancel: true,
      metadata: { large: "x".repeat(5_000) },
    }));
    const event = { to: "me", content: "hi", channel: "terminal" };
    expect(await hooks.decide("message_sending", event, CONTEXT)).toBeUndefined();
  });
});

describe("selection hooks", () => {
  it("take the first model override, for each field separately", async () => {
    const hooks = await hooksWith(
      "before_model_resolve",
      () => ({ modelOverride: "small" }),
      () => ({ modelOverride: "big", providerOverride: "local" }),
    );
    expect(await hooks.rewrite("before_model_resolve", { prompt: "" }, CONTEXT)).toEqual({
      modelOverride: "small",
      providerOverride: "local",
    });
  });

  it("deny a spawn by status error, with the handler's text", async () => {
    const hooks = await hooksWith(
      "subagent_spawning",
      () => ({ status: "ok", threadBindingReady: true }),
      () => ({ status: "error", error: "too many" }),
    );
    const event = {
      childSessionKey: "c",
      agentId: "main",
      mode: "run",
      threadRequested: false,
    } as const;
    expect(await hooks.decide("subagent_spawning", event, CONTEXT)).toMatchObject({
      status: "error",
      error: "too many",
    });
  });

  it("keep a message out of the transcript by block", async () => {
    const hooks = await hooksWith(
      "before_message_write",
      ({ message }) => ({ message: { ...message, timestamp: 1 } }),
      ({ message }) => (message.timestamp === 1 ? { block: true } : undefined),
    );
    const message = { role: "user" as const, content: [], timestamp: 0 };
    expect(hooks.sync("before_message_write", { message }, CONTEXT)).toMatchObject({ block: true });
    expect(message.timestamp).toBe(0);
  });
});
