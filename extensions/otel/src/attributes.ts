/**
 * Names of attributes, from the OpenTelemetry semantic conventions for generative AI 1.38 and from OpenClaw. They
 * are pinned here, because the conventions are still changing.
 */
export const ATTRIBUTE = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  requestModel: "gen_ai.request.model",
  finishReasons: "gen_ai.response.finish_reasons",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  agentId: "gen_ai.agent.id",
  conversationId: "gen_ai.conversation.id",
  toolName: "gen_ai.tool.name",
  toolCallId: "gen_ai.tool.call.id",
  systemInstructions: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  errorType: "error.type",
  runId: "openclaw.run.id",
  trigger: "openclaw.trigger",
  outcome: "openclaw.outcome",
  pluginId: "openclaw.plugin.id",
  purpose: "openclaw.model.purpose",
  hook: "openclaw.hook.name",
  hookOwners: "openclaw.hook.plugins",
  approvalId: "openclaw.approval.id",
  channel: "openclaw.channel",
  direction: "openclaw.direction",
  messageId: "openclaw.message.id",
} as const;
