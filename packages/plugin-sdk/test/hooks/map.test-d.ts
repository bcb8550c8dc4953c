import { describe, expectTypeOf, it } from "vitest";
import type { CataloguedHookName, HookMap, HooksOfKind } from "../../src/hooks.js";
import type {
  HookContext,
  HookEvent,
  HookHandler,
  HookName,
  HookResult,
  OpenClawPluginApi,
} from "../../src/index.js";
import type { DeepReadonly } from "../../src/tools.js";

declare const api: OpenClawPluginApi;

describe("api.on", () => {
  it("[LIFE-020] takes event, context and result from the name literal", () => {
    api.on("before_tool_call", (event, context) => {
      expectTypeOf(event).toEqualTypeOf<HookEvent<"before_tool_call">>();
      expectTypeOf(context).toEqualTypeOf<HookContext<"before_tool_call">>();
      expectTypeOf(event.toolName).toEqualTypeOf<string>();
      expectTypeOf(event.context).toEqualTypeOf(context);
      expectTypeOf(context.pluginConfig).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      return { block: true, blockReason: "because" };
    });
    api.on("before_prompt_build", async () => ({ prependContext: "first", toolsAllow: ["read"] }));
    api.on("agent_end", async ({ success }) => success);
    api.on("message_received", () => {});
  });

  it("[HOOK-037] gives events whose spread and clone have exactly the fields of the hook", () => {
    api.on("before_recall", (event) => {
      const { context, ...fields } = event;
      expectTypeOf(context).toEqualTypeOf<HookContext<"before_recall">>();
      expectTypeOf<keyof typeof fields>().toEqualTypeOf<keyof HookMap["before_recall"]["event"]>();
      expectTypeOf(fields).toExtend<DeepReadonly<HookMap["before_recall"]["event"]>>();
      // @ts-expect-error it is a plain object, with no method of its own
      event.toJSON();
      return { query: `${fields.query} and more` };
    });
  });

  it("rejects a name that is not in the catalog", () => {
    // @ts-expect-error no hook of that name
    api.on("before_tool_calls", () => {});
    // @ts-expect-error a phase is not a hook
    api.on("tool.pre", () => {});
    // @ts-expect-error nor is an alias
    api.on("preToolExecution", () => {});
  });

  it("rejects a result with the wrong shape", () => {
    // @ts-expect-error block is a boolean
    api.on("before_tool_call", () => ({ block: "yes" }));
    // @ts-expect-error a result of another hook
    api.on("before_agent_run", () => ({ block: true }));
    // @ts-expect-error outcome has two words
    api.on("before_agent_run", async () => ({ outcome: "maybe" }));
    // @ts-expect-error no such field
    api.on("before_recall", (): HookResult<"before_recall"> => ({ query: "q", limits: 3 }));
  });

  it("rejects a promise from a sync hook", () => {
    api.on("before_message_write", ({ message }) => ({ message: { ...message, timestamp: 0 } }));
    // @ts-expect-error sync handlers cannot be awaited
    api.on("before_message_write", async () => ({ block: true }));
    // @ts-expect-error nor return a promise of nothing
    api.on("tool_result_persist", async () => {});
  });

  it("makes events read-only at any depth", () => {
    api.on("before_tool_call", (event) => {
      // @ts-expect-error rewrite params by returning them
      event.params = {};
      // @ts-expect-error nor can its parts be written
      event.params.path = "/tmp";
    });
    api.on("llm_input", (event) => {
      // @ts-expect-error lists cannot grow
      event.historyMessages.push();
    });
  });

  it("allows a handler to return parts of its event", () => {
    api.on("after_recall", ({ results }) => ({ results: results.slice(0, 3) }));
    api.on("before_dispatch", ({ payload }) => ({ payload: { ...payload, text: "shorter" } }));
    api.on("before_tool_call", ({ params }) => ({ params: { ...params, dryRun: true } }));
    api.on("tool_result_persist", ({ message }) => ({ message }));
  });

  it("types its options", () => {
    api.on("before_tool_call", () => {}, {
      priority: 50,
      timeoutMs: 1_000,
      mode: "fail-closed",
      onTimeout: "fail-open",
      retry: { count: 2, backoffMs: 10 },
      maxConcurrency: 4,
      scope: { channels: ["telegram"], agentIds: ["main"], toolNames: ["exec"] },
      condition: (event, context) => event.toolName === "exec" && context.callDepth === 0,
      id: "one",
      name: "two",
    });
    // @ts-expect-error a mode has two words
    api.on("agent_end", () => {}, { mode: "closed" });
  });

  it("returns a function that is also disposable", () => {
    const unregister = api.on("agent_end", () => {});
    expectTypeOf(unregister).toBeCallableWith();
    expectTypeOf(unregister).toExtend<Disposable>();
  });
});

describe("api.lifecycle.on", () => {
  it("[LIFE-029] types a phase and its alias as their hook", () => {
    api.lifecycle.on("tool.pre", (event) => {
      expectTypeOf(event).toEqualTypeOf<HookEvent<"before_tool_call">>();
      return { params: {} };
    });
    api.lifecycle.on("preToolExecution", (event) => {
      expectTypeOf(event).toEqualTypeOf<HookEvent<"before_tool_call">>();
    });
    api.lifecycle.on("postRequest", (event) => {
      expectTypeOf(event).toEqualTypeOf<HookEvent<"agent_end">>();
    });
    api.lifecycle.on("postRequestIngress", (event) => {
      expectTypeOf(event).toEqualTypeOf<HookEvent<"request_post">>();
    });
  });

  it("rejects hook names, unknown phases and wrong results", () => {
    // @ts-expect-error a hook is not a phase
    api.lifecycle.on("before_tool_call", () => {});
    // @ts-expect-error no such phase
    api.lifecycle.on("tool.before", () => {});
    // @ts-expect-error the result of the mapped hook counts
    api.lifecycle.on("tool.pre", () => ({ cancel: true }));
  });
});

describe("api.registerHook", () => {
  it("takes a name or a list of names", () => {
    api.registerHook("agent_end", ({ success }) => success);
    api.registerHook(["session_start", "session_end"], ({ sessionId }, { hookName }) => {
      expectTypeOf(sessionId).toEqualTypeOf<string>();
      expectTypeOf(hookName).toEqualTypeOf<string>();
    });
    api.registerHook("agent_end", () => {}, { register: false, description: "listed only" });
    // @ts-expect-error no hook of that name
    api.registerHook(["agent_end", "agent_ends"], () => {});
  });
});

describe("the hook map", () => {
  it("sorts names by kind", () => {
    expectTypeOf<"before_tool_call">().toExtend<HooksOfKind<"decide">>();
    expectTypeOf<"before_tool_call">().not.toExtend<HooksOfKind<"observe">>();
    expectTypeOf<HooksOfKind<"sync">>().toEqualTypeOf<
      "tool_result_persist" | "before_message_write"
    >();
    expectTypeOf<HooksOfKind<"claim">>().toEqualTypeOf<
      "transcribe_audio" | "inbound_claim" | "reply_dispatch" | "before_agent_reply"
    >();
  });

  it("knows the names of the constant, and no others", () => {
    expectTypeOf<CataloguedHookName>().toEqualTypeOf<HookName>();
  });

  it("gives observers no result", () => {
    expectTypeOf<HookResult<"agent_end">>().toEqualTypeOf<undefined>();
    expectTypeOf<HookHandler<"agent_end">>().toExtend<(...given: never) => unknown>();
  });
});
