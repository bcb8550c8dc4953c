import type { AgentCall, AgentCallDecision, WorkerEvent } from "../workers/api/requests.js";

/** Services of the host for an external agent. */
export interface AgentHost {
  /**
   * Returns the decision of the host about a call, as long as that takes.
   * @param call - call in the names of the host
   */
  authorize(call: AgentCall): Promise<AgentCallDecision>;
  /** Reports what the agent does. */
  report(event: WorkerEvent): void;
  /**
   * Reports the session of the agent, with which a later run continues.
   * @param id - ID of the session
   */
  session(id: string): void;
}

/** End of a turn of an external agent. */
export interface AgentTurn {
  readonly success: boolean;
  /** Answer, or the reason of the failure. */
  readonly text: string;
  /** Number of model calls of the conversation so far. */
  readonly iterations: number;
}

/** A running conversation with an external agent. */
export interface AgentConversation {
  /**
   * Gives the agent a message of the user.
   * @param text - the message
   */
  say(text: string): void;
  /**
   * Resolves with the next end of a turn.
   * @throws BridgeError when the agent has ended without one
   */
  nextTurn(): Promise<AgentTurn>;
  /**
   * Ends the conversation, and resolves when the agent has ended.
   * @returns the end of a turn that came meanwhile
   */
  close(): Promise<AgentTurn | undefined>;
  /** Ends the agent at once. */
  stop(): void;
}

/** Program of another project that works on a job with its own tools, each of which the host authorizes (JOB-530). */
export interface ExternalAgent {
  /**
   * Proves that the agent asks the host about its calls, and respects a denial.
   * @param host - services of the host
   * @throws BridgeError when it does not
   */
  prove(host: AgentHost): Promise<void>;
  /**
   * Begins a conversation.
   * @param host - services of the host
   * @param session - session that it continues; a new one when undefined
   * @returns undefined when the agent does not know the session
   * @throws BridgeError when the agent does not start
   */
  start(host: AgentHost, session: string | undefined): Promise<AgentConversation | undefined>;
}
