import { isRecord } from "@openclaw/plugin-sdk/kit";
import type {
  AnyAgentTool,
  ToolDefinition,
  ToolFactoryContext,
  ToolResult,
} from "@openclaw/plugin-sdk/tools";
import {
  type ComponentLimits,
  type HttpBoundary,
  toolHost,
  WasmLimitError,
  type WorkerPool,
  workerLimits,
} from "@openclaw/wasm-host";
import type { LoadedComponent } from "../library/folder-scan.js";
import type { FuelLog } from "./fuel-log.js";
import type { GuestLog } from "./log.js";
import { invokeTool } from "./nested.js";
import { readWorkspaceFile } from "./workspace.js";

/** Services that the tools of components use. */
export interface ToolContext {
  readonly pool: WorkerPool;
  readonly limits: ComponentLimits;
  readonly log: GuestLog;
  readonly fuel: FuelLog;
  secretExists(component: LoadedComponent, name: string): Promise<boolean>;
  /** Returns the requests of a component; undefined when its capabilities allow none. */
  httpOf(component: LoadedComponent): HttpBoundary | undefined;
  /** Counts a tool invocation of a component, and returns false when there are too many. */
  mayInvoke(component: LoadedComponent): boolean;
}

/** Time for which the host waits for a call that has reached its own limit, in milliseconds. */
const GRACE_MS = 5000;
const LONGEST_CALL_MS = 600_000;

/** Details of a result, for clients and hooks. */
export interface ComponentCallDetails {
  readonly component: string;
  /** Units of fuel that the call consumed, and that it had. */
  readonly fuel: { readonly consumed: number; readonly limit: number };
  /** Category of a failure, as a component of version 0.4 reports it. */
  readonly failure?: string;
}

/**
 * Returns the tool of a component for a turn (WASM-001).
 * @param component - a component of the world of tools
 * @param turn - session of the tool
 */
export function componentTool(
  component: LoadedComponent,
  turn: ToolFactoryContext,
  context: ToolContext,
): AnyAgentTool {
  const { name, prepared } = component;
  const { limits } = context;
  const execute: ToolDefinition["execute"] = async (toolCallId, params, signal) => {
    const host = toolHost(
      prepared.world,
      component.capabilities,
      {
        log: (level, message) => context.log(name, level, message),
        readWorkspace: (path) => readWorkspaceFile(turn.workspaceDir, path),
        secretExists: (secret) => context.secretExists(component, secret),
        invokeTool: (tool, text) => invokeTool(turn, { toolCallId, tool, params: text, signal }),
        http: context.httpOf(component),
        mayInvoke: () => context.mayInvoke(component),
        signal,
      },
      limits,
    );
    const noteFuel = (consumed: number) =>
      context.fuel.note(toolCallId, { component: name, consumed, limit: limits.fuel });
    const called = context.pool.run({
      ...{ name, component: prepared.component, world: "tool", function: "execute" },
      args: [{ params: JSON.stringify(params), context: contextOf(turn) }],
      ...{ limits: workerLimits(limits), wallClockMs: limits.wallClockMs, host, signal },
    });
    const { value, fuel, denied } = await called.catch((error: unknown) => {
      if (WasmLimitError.isInstance(error) && error.consumed !== undefined) {
        noteFuel(error.consumed);
      }
      throw error;
    });
    if (denied > 0) {
      context.log(
        name,
        "warn",
        `its memory reached ${limits.memoryBytes} bytes and could not grow`,
      );
    }
    noteFuel(fuel);
    return resultOf(value, { component: name, fuel: { consumed: fuel, limit: limits.fuel } });
  };
  const tool: ToolDefinition = {
    name,
    description: prepared.tool?.description || `Component ${name}.`,
    parameters: { ...prepared.tool?.schema },
    wasmComponent: name,
    capabilities: component.permissions,
    approval: "unless-granted",
    timeoutMs: Math.min(limits.wallClockMs + GRACE_MS, LONGEST_CALL_MS),
    parallelSafe: true,
    execute,
  };
  return tool as AnyAgentTool;
}

/** Data about the call that components receive as JSON; it identifies no person. */
function contextOf({ agentId, sessionKey, messageChannel }: ToolFactoryContext): string {
  return JSON.stringify({ agent_id: agentId, session_key: sessionKey, channel: messageChannel });
}

function resultOf(value: unknown, details: ComponentCallDetails): ToolResult {
  const response = isRecord(value) ? value : {};
  const text = (content: unknown) => [{ type: "text" as const, text: String(content ?? "") }];
  // Version 0.4 has a variant, the others have a record.
  if (response.tag === "success") return { content: text(response.val), details };
  if (response.tag === "failure") {
    const { kind, code, message } = isRecord(response.val) ? response.val : {};
    const parts = [message, code, kind].filter((part) => typeof part === "string");
    return {
      content: text(parts.length > 1 ? `${parts[0]} (${parts.slice(1).join(", ")})` : parts[0]),
      details: { ...details, failure: String(kind) },
      isError: true,
    };
  }
  if (response.error !== undefined)
    return { content: text(response.error), details, isError: true };
  return { content: text(response.output), details };
}
