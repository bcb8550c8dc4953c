import type { Origin } from "@openclaw/plugin-sdk/hooks";
import type { PolicyContext } from "@openclaw/tool-policy";
import type { InboundMessage } from "./inbound.js";

/** Agent, session and delivery target of a message (TURN-008). */
export interface MessageRoute {
  readonly agentId: string;
  readonly sessionKey: string;
  /** `provider/model`, unless a hook overrides it. */
  readonly modelRef: string;
  /** Input of tool policy that follows from the message. */
  readonly toolPolicyInput: PolicyContext;
  readonly workspaceDir: string;
  /** True when tools run in a sandbox. */
  readonly sandboxed: boolean;
  /** Destination of replies. */
  readonly deliveryContext: Origin & { channel: string; to: string; accountId: string };
}

/** Routes messages to agents and sessions. */
export interface MessageRouter {
  /** IDs of the configured agents. */
  readonly agentIds: readonly string[];
  /** Agent of messages that match no binding. */
  readonly defaultAgent: string;
  /**
   * Returns the route of a message; the same message always gets the same route.
   * @param message - message from a surface
   */
  route(message: InboundMessage): MessageRoute;
  /**
   * Returns the model of an agent's turns as `provider/model`.
   * @param agentId - agent ID, for example `main`
   */
  modelOf(agentId: string): string;
}
