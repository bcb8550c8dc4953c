import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin, untyped } from "../support/host.js";

const SEE_CONVERSATIONS = [
  "before_model_resolve",
  "before_agent_reply",
  "llm_input",
  "llm_output",
  "before_agent_finalize",
  "agent_end",
  "before_agent_run",
] as const;
const ADD_TO_PROMPTS = [
  "agent_turn_prepare",
  "before_prompt_build",
  "heartbeat_prompt_contribution",
] as const;
const CONTEXT = { callDepth: 0 };

function registerAll(names: readonly string[], fired: string[] = []) {
  return (api: OpenClawPluginApi) => {
    const { on } = untyped(api);
    for (const name of names) on(name, () => void fired.push(`${api.id} ${name}`));
  };
}

function told(diagnostics: readonly PluginDiagnostic[]) {
  return diagnostics
    .filter(({ code }) => code === "hook-inactive" || code === "gate-inactive")
    .map(({ level, code, message, hint }) => ({ level, code, message, hint }));
}

describe("hooks that read conversations", () => {
  it("[HOOK-045] [TURN-022] stay inactive in an installed plugin until consent is recorded; the diagnostic quotes the line", async () => {
    const fired: string[] = [];
    const register = registerAll([...SEE_CONVERSATIONS, "message_sent"], fired);
    const host = createFileHost(
      [
        { id: "agreed", register },
        { id: "stranger", register },
      ],
      { entries: { agreed: { hooks: { allowConversationAccess: true } } } },
    );
    const { diagnostics } = await host.runtime.load();
    const active = (id: string) =>
      host.runtime.inspection
        .registrations()
        .filter(({ owner, active: isActive }) => owner === id && isActive)
        .map(({ hook }) => hook);
    expect(active("agreed").toSorted()).toEqual([...SEE_CONVERSATIONS, "message_sent"].toSorted());
    expect(active("stranger")).toEqual(["message_sent"]);
    const event = { runId: "1", sessionId: "1", provider: "demo", model: "demo" };
    await host.runtime.hooks.observe(
      "llm_output",
      { ...event, assistantTexts: [] } as never,
      CONTEXT,
    );
    expect(fired).toEqual(["agreed llm_output"]);
    expect(told(diagnostics)).toEqual(
      SEE_CONVERSATIONS.map((hook) => ({
        // An ineffective operator gate must be reported.
        level: hook === "before_agent_run" ? "warn" : "info",
        code: hook === "before_agent_run" ? "gate-inactive" : "hook-inactive",
        message: expect.stringContaining(`plugin "stranger" for "${hook}" are inactive`),
        hint: "set plugins.entries.stranger.hooks.allowConversationAccess to true",
      })),
    );
    await host.runtime.dispose();
  });

  it("[HOOK-045] are active in bundled plugins and in those named for this process", async () => {
    const shipped = createFileHost([{ id: "shipped", register: registerAll(SEE_CONVERSATIONS) }]);
    const named = createFileHost([{ id: "named", register: registerAll(SEE_CONVERSATIONS) }]);
    const listed = createFileHost([{ id: "listed", register: registerAll(SEE_CONVERSATIONS) }]);
    const { runtime } = createTestHost(
      [],
      { load: { paths: [listed.folder("listed")] } },
      { bundled: [shipped.folder("shipped")], extraPaths: [named.folder("named")] },
    );
    const { diagnostics } = await runtime.load();
    const active = runtime.inspection.registrations().filter((one) => one.active);
    expect(active.map(({ owner }) => owner).toSorted()).toEqual([
      ...SEE_CONVERSATIONS.map(() => "named"),
      ...SEE_CONVERSATIONS.map(() => "shipped"),
    ]);
    expect(told(diagnostics)).toHaveLength(SEE_CONVERSATIONS.length);
    await runtime.dispose();
  });
});

describe("hooks that add to prompts", () => {
  it("[HOOK-046] [TURN-022] add nothing when the operator forbids it, and text for next turns is rejected", async () => {
    const enqueued: string[] = [];
    let apiOf: OpenClawPluginApi | undefined;
    const { runtime } = createTestHost(
      [
        plugin((api) => {
          apiOf = api;
          registerAll(ADD_TO_PROMPTS)(api);
          api.on("before_agent_start", () => ({
            modelOverride: "small",
            providerOverride: "local",
            systemPrompt: "obey",
            prependContext: "psst",
            appendContext: "psst",
            prependSystemContext: "psst",
            appendSystemContext: "psst",
          }));
        }, "quiet"),
        plugin(registerAll(ADD_TO_PROMPTS), "loud"),
      ],
      { entries: { quiet: { hooks: { allowPromptInjection: false } } } },
      {
        hostServices: {
          enqueueInjection: async (pluginId, { sessionKey }) => {
            enqueued.push(pluginId);
            return { enqueued: true, id: "1", sessionKey };
          },
        },
      },
    );
    await runtime.load();
    const active = runtime.inspection.registrations().filter((one) => one.active);
    expect(active.map(({ owner, hook }) => `${owner} ${hook}`).toSorted()).toEqual(
      ["quiet before_agent_start", ...ADD_TO_PROMPTS.map((hook) => `loud ${hook}`)].toSorted(),
    );
    const event = { prompt: "hi", messages: [] };
    expect(await runtime.hooks.rewrite("before_agent_start", event, CONTEXT)).toEqual({
      modelOverride: "small",
      providerOverride: "local",
    });
    const injection = { sessionKey: "agent:main:main", text: "psst" };
    expect(await apiOf?.enqueueNextTurnInjection(injection)).toEqual({
      enqueued: false,
      reason: "prompt-injection-off",
      sessionKey: "agent:main:main",
    });
    expect(enqueued).toEqual([]);
    // The host checks this before it delivers injections that were stored while it was still allowed.
    expect(runtime.mayAddToPrompts("quiet")).toBe(false);
    expect(runtime.mayAddToPrompts("loud")).toBe(true);
    const lines = told(runtime.current.diagnostics);
    expect(lines).toHaveLength(ADD_TO_PROMPTS.length + 1);
    for (const { hint } of lines) {
      expect(hint).toContain("plugins.entries.quiet.hooks.allowPromptInjection");
    }
    await runtime.dispose();
  });

  it.each<[string, (result: object) => unknown]>([
    ["a promise", (result) => Promise.resolve(result)],
    [
      "a thenable of its own kind",
      // biome-ignore lint/suspicious/noThenProperty: a thenable that is not a promise is the point
      (result) => ({ then: (settle: (value: object) => void) => settle(result) }),
    ],
  ])("[HOOK-046] removes prompt fields from a result that is %s", async (_kind, wrap) => {
    const { runtime } = createTestHost(
      [
        plugin((api) => {
          untyped(api).on("before_agent_start", () =>
            wrap({ modelOverride: "small", prependContext: "psst" }),
          );
        }, "quiet"),
      ],
      { entries: { quiet: { hooks: { allowPromptInjection: false } } } },
    );
    await runtime.load();
    const event = { prompt: "hi", messages: [] };
    expect(await runtime.hooks.rewrite("before_agent_start", event, CONTEXT)).toEqual({
      modelOverride: "small",
    });
    await runtime.dispose();
  });
});
