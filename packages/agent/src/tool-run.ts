import type { ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { RequestedCall } from "./tool-judgement.js";
import { callTool } from "./tool-path.js";
import {
  joinModel,
  openTurnScope,
  type PluginPin,
  type TurnRequest,
  type TurnServices,
} from "./turn-scope.js";
import { openTurnTools } from "./turn-tools.js";

/** Who would have asked for the call; there is no message and no model's reply around it. */
export type ToolRunRequest = Omit<
  TurnRequest,
  "text" | "instructions" | "extraInstructions" | "history"
>;

/**
 * Runs one tool call outside a conversation, on the path that the calls of models take: policy, schema,
 * hooks, approval, execution. It writes no transcript, and never throws for what a tool or plugin did.
 * @param call - tool, arguments and id
 * @param request - who asks, and for which model's tool set
 * @param services - what the host lends
 * @param pin - the plugins it runs with
 * @throws ModelNotFoundError when the named model does not exist
 */
export async function runTool(
  call: RequestedCall,
  request: ToolRunRequest,
  services: TurnServices,
  pin: PluginPin,
): Promise<ToolResultMessage> {
  const turn = openTurnScope({ ...request, text: "" }, services, pin);
  const model = await services.models.resolve(request.model);
  joinModel(turn, model);
  const { tools, policyContext } = await openTurnTools(turn, model);
  turn.tools = tools;
  const { message } = await callTool(call, { turn, tools, policyContext, reconsidered: new Set() });
  return message;
}
