import { describe, expectTypeOf, it } from "vitest";
import type { BeforeToolCallResult } from "../../src/hooks.js";
import type { OpenClawPluginApi } from "../../src/index.js";

declare const api: OpenClawPluginApi;

describe("hooks of tool calls", () => {
  it("before_tool_call", () => {
    api.on("before_tool_call", ({ toolName, params, command }, { getSessionExtension }) => {
      expectTypeOf(command?.commands[0]?.program).toEqualTypeOf<string | undefined>();
      expectTypeOf(getSessionExtension?.("mine")).toEqualTypeOf<unknown>();
      return toolName === "exec"
        ? { requireApproval: { title: "Run?", description: String(params.command) } }
        : { params: { ...params, dryRun: true }, guidance: "This was a dry run." };
    });
    api.on("before_tool_call", (): BeforeToolCallResult => ({ block: true, blockReason: "no" }));
    // @ts-expect-error block is a boolean
    api.on("before_tool_call", () => ({ block: "yes" }));
    // @ts-expect-error a misspelt field, beside one that is right
    api.on("before_tool_call", async () => ({ block: true, blokReason: "no" }));
    const typo = { title: "Run?", description: "it", timeoutMS: 1 };
    // @ts-expect-error a misspelt field one level down
    api.on("before_tool_call", () => ({ requireApproval: typo }));
  });

  it("after_tool_call", () => {
    api.on("after_tool_call", ({ outcome, result, durationMs }) => {
      expectTypeOf(outcome).toEqualTypeOf<"ok" | "error">();
      expectTypeOf(durationMs).toEqualTypeOf<number | undefined>();
      return result?.content.length;
    });
    // @ts-expect-error a call that ran cannot be blocked
    api.on("after_tool_call", () => ({ block: true }));
  });

  it("tool_error", () => {
    api.on("tool_error", ({ error }) => {
      expectTypeOf(error.kind).toEqualTypeOf<
        "threw" | "timeout" | "aborted" | "result-error" | "outcome-unknown"
      >();
    });
    // @ts-expect-error there is no such kind
    api.on("tool_error", ({ error }) => error.kind === "crashed");
  });

  it("tool_result_persist", () => {
    api.on("tool_result_persist", ({ message, isSynthetic }) =>
      isSynthetic === true ? undefined : { message: { ...message, timestamp: 0 } },
    );
    // @ts-expect-error sync handlers are not waited for
    api.on("tool_result_persist", async () => {});
    // @ts-expect-error there is no such result field
    api.on("tool_result_persist", ({ message }) => ({ message, block: true }));
  });

  it("before_message_write", () => {
    api.on("before_message_write", ({ message }) => {
      if (message.role === "user") return { message: { ...message, content: [] } };
      return { block: true };
    });
    // @ts-expect-error sync handlers are not waited for
    api.on("before_message_write", async () => ({ block: true }));
  });
});
