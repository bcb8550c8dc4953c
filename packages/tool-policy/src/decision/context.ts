/** The circumstances of a decision (POL-002). Names are compared without regard to case, ids exactly. */
export interface PolicyContext {
  readonly agentId: string;
  /** Model provider, for example `anthropic`. */
  readonly provider?: string;
  /** Model name; a leading `<provider>/` is allowed and ignored. */
  readonly model?: string;
  /**
   * Profile to use instead of the configured one. With layers from configuration, a name that is
   * not defined there denies everything.
   */
  readonly profile?: string;
  /** Surface of the conversation, for example `telegram`. */
  readonly channel?: string;
  readonly accountId?: string;
  /** Set only in group conversations. */
  readonly groupId?: string;
  readonly senderId?: string;
  /** Name of the sender on its platform, matched by `name:` keys of `toolsBySender` (POL-012). */
  readonly senderName?: string;
  readonly senderIsOwner: boolean;
  readonly sandboxed: boolean;
  /** 0 for the agent itself, 1 for its subagents, and so on. */
  readonly subagentDepth: number;
  /** Names of the tools the parent could use when it spawned this agent (POL-014). */
  readonly parentPolicy?: readonly string[];
  /** Entries of the run's own tool list; an empty list allows nothing (POL-007). */
  readonly runAllow?: readonly string[];
  /** Entries a hook returned as `toolsAllow`; they and `runAllow` must both match (POL-015). */
  readonly toolsAllow?: readonly string[];
}
