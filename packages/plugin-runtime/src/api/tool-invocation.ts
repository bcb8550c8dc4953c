import type { HostAgentPort, ToolInvocation } from "@openclaw/plugin-sdk/services";
import type { NestedToolResult } from "@openclaw/plugin-sdk/tools";
import type { PluginInstance } from "../instances/instance.js";
import { expectObject, expectText } from "../registration/check.js";

const MEMBER = "runtime.agent.callTool";

/**
 * Creates `runtime.agent.callTool`, which calls a tool in a session without a model.
 * @param invokeTool - calls the tool on the path of all calls
 */
export function createToolInvocation(
  instance: PluginInstance,
  invokeTool: NonNullable<HostAgentPort["invokeTool"]>,
) {
  return async (invocation: ToolInvocation): Promise<NestedToolResult> => {
    instance.assertAlive(MEMBER);
    const call = { origin: instance.origin, member: MEMBER };
    expectObject(call, "invocation", invocation);
    const { params, requester, signal } = invocation;
    expectObject(call, "params", params);
    expectObject(call, "requester", requester);
    for (const field of ["channel", "channelId", "senderId"] as const) {
      expectText(call, `requester.${field}`, requester[field]);
    }
    return invokeTool(instance.id, {
      sessionKey: expectText(call, "sessionKey", invocation.sessionKey),
      tool: expectText(call, "tool", invocation.tool),
      params,
      requester: { ...requester, senderIsOwner: requester.senderIsOwner === true },
      signal: signal === undefined ? instance.signal : AbortSignal.any([instance.signal, signal]),
    });
  };
}
