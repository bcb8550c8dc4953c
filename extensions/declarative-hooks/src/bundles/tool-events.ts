import type { HookOptions, HookResult } from "@openclaw/plugin-sdk/hooks";
import { hostParams } from "@openclaw/plugin-sdk/kit";
import type { ToolResult, ToolResultPassage } from "@openclaw/plugin-sdk/tools";
import { CallContexts } from "./call-contexts.js";
import { type BundleApi, type BundleHandler, callOf, contextOf, type Remove } from "./handler.js";
import { responseOf } from "./tool-response.js";

/**
 * Registers a handler before tool calls: its denial denies, `ask` asks an approver, and its permission changes
 * nothing about policy and approvals (EXT-542).
 * @param api - host
 * @param handler - handler of `PreToolUse`
 * @param options - order, deadline and mode
 */
export function bindToolCall(
  api: BundleApi,
  handler: BundleHandler,
  options: HookOptions<"before_tool_call">,
): Remove {
  return api.on(
    "before_tool_call",
    async (event, context): Promise<HookResult<"before_tool_call"> | undefined> => {
      const { toolName, params, toolCallId = "" } = event;
      const call = callOf(toolName, params, context.workspaceDir);
      const outcome = await handler.run(context, {
        ...{ tool_name: call.tool, tool_input: call.input, tool_use_id: toolCallId },
      });
      if (outcome.action === "block") {
        return { block: true, blockReason: `${outcome.reason} (hook ${handler.name})` };
      }
      const guidance = contextOf(outcome);
      const changed = "params" in outcome ? outcome.params : undefined;
      const result: HookResult<"before_tool_call"> = {
        ...(guidance === undefined ? {} : { guidance }),
        ...(changed === undefined ? {} : { params: hostParams(toolName, changed, call, params) }),
      };
      if (outcome.action !== "ask") return result;
      const description = outcome.reason === "" ? `asked by hook ${handler.name}` : outcome.reason;
      return { ...result, requireApproval: { title: `Allow ${call.tool}?`, description } };
    },
    {
      ...options,
      condition: ({ toolName, params }, { workspaceDir }) =>
        handler.acceptsCall(callOf(toolName, params, workspaceDir)),
    },
  );
}

/** Handlers of bundles after tool calls; their answers are added to the result for the model. */
export class ToolResults {
  readonly #api: BundleApi;
  readonly #contexts = new CallContexts();
  readonly #handlers = new Map<BundleHandler, "PostToolUse" | "PostToolUseFailure">();

  /** @param api - host */
  constructor(api: BundleApi) {
    this.#api = api;
  }

  /**
   * Adds a handler.
   * @param handler - handler of the event
   * @param event - calls that succeeded, or that failed
   */
  add(handler: BundleHandler, event: "PostToolUse" | "PostToolUseFailure"): Remove {
    this.#handlers.set(handler, event);
    const unregister = this.#api.on(
      "before_tool_call",
      ({ toolCallId }, context) => {
        this.#contexts.note(toolCallId, context);
        return undefined;
      },
      { id: `${handler.name}@call`, mode: "fail-open" },
    );
    return () => {
      unregister();
      this.#handlers.delete(handler);
    };
  }

  /**
   * Adds the answers of handlers to the result of a call.
   * @param passage - call with its result
   */
  async pass(passage: ToolResultPassage): Promise<ToolResult | undefined> {
    if (this.#handlers.size === 0) return undefined;
    const { toolName, toolCallId, args = {}, isError = false, result } = passage;
    // The deadline of the context was that of another hook.
    const { signal: _over, ...context } = this.#contexts.of(toolCallId);
    const call = callOf(toolName, args, context.workspaceDir);
    const response = responseOf(call, result, isError);
    const wanted = "error" in response ? "PostToolUseFailure" : "PostToolUse";
    const texts = [...this.#handlers].map(async ([handler, event]) => {
      if (event !== wanted || !handler.acceptsCall(call)) return "";
      try {
        const outcome = await handler.run(context, {
          ...{ tool_name: call.tool, tool_input: call.input, tool_use_id: toolCallId ?? "" },
          ...response,
        });
        return outcome.action === "block" ? outcome.reason : (contextOf(outcome) ?? "");
      } catch (error) {
        this.#api.logger.warn(`hook "${handler.name}" failed`, { error });
        return "";
      }
    });
    const added = (await Promise.all(texts)).filter((each) => each !== "");
    if (added.length === 0) return undefined;
    const note = {
      type: "text" as const,
      text: added.map((each) => `Note of a hook: ${each}`).join("\n"),
    };
    return { ...result, content: [...result.content, note] };
  }
}
