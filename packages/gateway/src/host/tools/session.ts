import { randomUUID } from "node:crypto";
import { invokeTool, runTool, type TurnDependencies } from "@openclaw/agent";
import { orderedId } from "@openclaw/foundation";
import {
  agentPin,
  type MessageRouter,
  type SessionRow,
  senderOfCaller,
  sessionLineage,
  subagentBounds,
} from "@openclaw/messaging";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type {
  JsonObject,
  NestedToolResult,
  ToolRequester,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";
import type { MethodCaller } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { ApprovalKind } from "@openclaw/store/decisions";
import type { HostContext } from "../context.js";

/** Request of a tool call outside a turn. */
export type SessionToolRequest = Parameters<typeof runTool>[1];

/** Session of a call, which may not be stored yet. */
export type CallSession = Pick<SessionRow, "sessionKey" | "sessionId" | "agentId">;

/** Dependencies of {@link SessionTools}. */
export interface SessionToolsDependencies {
  readonly plugins: Pick<PluginRuntime, "pin" | "mayAddToPrompts">;
  readonly store: Pick<Store, "sessions" | "jobs" | "routines">;
  readonly router: Pick<MessageRouter, "route">;
  /** Sends the progress of calls to the clients of their sessions. */
  readonly events: Pick<HostContext["events"], "publish">;
  /** Returns the services for calls that start now. */
  services(): TurnDependencies;
  /**
   * Returns the model that was chosen for a session.
   * @param sessionKey - full key of the session
   */
  sessionModel(sessionKey: string): string | undefined;
  /**
   * Returns true when an approver would see an approval request.
   * @param lineage - session of the request, followed by its ancestors
   * @param kind - kind of the request; any kind when absent
   */
  isAttended(lineage: readonly string[], kind?: ApprovalKind): boolean;
}

/** Tool and arguments of a call. */
interface SessionToolCall {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** ID of the call, by which the caller recognises its progress; a new one when absent. */
  readonly toolCallId?: string | undefined;
}

/** Tool calls in sessions outside turns, by operators and plugins (GW-029, PLUG-130). */
export class SessionTools {
  readonly #dependencies: SessionToolsDependencies;

  /** @param dependencies - plugins, store, routes and services */
  constructor(dependencies: SessionToolsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the request of a call.
   * @param requester - requester, whose rights the call has
   * @param signal - stops the call
   */
  async request(
    session: CallSession,
    requester: ToolRequester,
    signal: AbortSignal,
  ): Promise<SessionToolRequest> {
    const { router, services, sessionModel, isAttended, store } = this.#dependencies;
    const { sessionKey, sessionId, agentId } = session;
    const runId = orderedId(services().now());
    const { channel, channelId: conversationId, senderId, senderIsOwner } = requester;
    const message = { channel, conversationId, senderId, senderIsOwner, text: "" };
    const route = router.route({ ...message, sessionKey, agentId });
    const lineage = await sessionLineage(sessionKey, store);
    return {
      runId,
      agentId,
      sessionKey,
      sessionId,
      trigger: "api",
      subagent: await subagentBounds(sessionKey, store),
      origin: { ...requester, messageId: runId },
      model: sessionModel(sessionKey) ?? route.modelRef,
      workspaceDir: route.workspaceDir,
      signal,
      isAttended: (kind) => isAttended(lineage, kind),
      onEvent: () => undefined,
    };
  }

  /**
   * Runs a call of an operator or a client on the path of all calls, and waits for its approval where one is needed.
   * @param call - tool and arguments
   * @param request - session and requester
   * @returns the result as models receive it
   */
  run(call: SessionToolCall, request: SessionToolRequest): Promise<ToolResultMessage> {
    return this.#call(call, { ...request, isDirect: true }, (...given) => runTool(...given));
  }

  /**
   * Runs a call like {@link run}, and returns the result as plugins receive it.
   * @param call - tool and arguments
   * @param request - session and requester
   */
  invoke(call: SessionToolCall, request: SessionToolRequest): Promise<NestedToolResult> {
    return this.#call(call, request, (...given) => invokeTool(...given));
  }

  async #call<Result>(
    { tool, params, toolCallId = randomUUID() }: SessionToolCall,
    request: SessionToolRequest,
    run: (...call: Parameters<typeof runTool>) => Promise<Result>,
  ): Promise<Result> {
    const { plugins, services, events } = this.#dependencies;
    const call = {
      toolCallId,
      toolName: tool,
      params: JSON.parse(JSON.stringify(params)) as JsonObject,
    };
    const pin = plugins.pin();
    try {
      const { sessionKey, runId } = request;
      const onEvent: SessionToolRequest["onEvent"] = (event) => {
        if (event.type !== "tool-update") return;
        const { toolCallId: id, text } = event;
        events.publish("tool.update", { sessionKey, runId, toolCallId: id, text });
      };
      return await run(call, { ...request, onEvent }, services(), agentPin(pin, plugins));
    } finally {
      pin.release();
    }
  }
}

/**
 * Returns a client as the requester of a call: the operator for the token of the gateway, and for a named token its name
 * with its rights, as for `chat.send`.
 * @param caller - authenticated client
 * @param sessionKey - session of the call
 */
export function requesterOf(caller: MethodCaller, sessionKey: string): ToolRequester {
  const { senderId, senderIsOwner, accountId } = senderOfCaller(caller);
  if (accountId === undefined) return operatorOf(sessionKey);
  return { channel: "api", channelId: sessionKey, senderId, senderIsOwner, accountId };
}

/**
 * Returns the operator as the requester of a call.
 * @param sessionKey - session of the call
 */
export function operatorOf(sessionKey: string): ToolRequester {
  return { channel: "api", channelId: sessionKey, senderId: "operator", senderIsOwner: true };
}
