import type {
  AgentContext,
  HandlerContext,
  HostContext,
  MessageContext,
  SessionContext,
  ToolHookContext,
} from "./context.js";
import type { CronDeliveryStatus, CronJob } from "./lifecycle.js";

/** Context of hooks inside an agent's turn. */
export type PluginHookAgentContext = AgentContext & HandlerContext;
/** Context of hooks about the host itself. */
export type PluginHookGatewayContext = HostContext & HandlerContext;
/** Scheduled job in the event of `cron_changed`. */
export type PluginHookGatewayCronJob = CronJob;
/** Delivery status of a scheduled job's output. */
export type PluginHookGatewayCronDeliveryStatus = CronDeliveryStatus;
/** Context of hooks about a message. */
export type PluginHookMessageContext = MessageContext & HandlerContext;
/** Context of hooks about a session. */
export type PluginHookSessionContext = SessionContext & HandlerContext;
/** Context of hooks about a tool call. */
export type PluginHookToolContext = ToolHookContext & HandlerContext;
