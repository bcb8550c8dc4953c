import type { AgentMessage } from "../message/message.js";

/** Conversation for which a context engine selects the messages. */
export interface ContextAssembly {
  readonly sessionId: string;
  readonly sessionKey: string;
  /** Messages before the message of the turn, oldest first. */
  readonly messages: readonly AgentMessage[];
  /** Number of tokens that the messages may have. */
  readonly tokenBudget: number;
  /** Text of the turn's message. */
  readonly prompt: string;
  readonly model?: string;
}

/** Messages for the model. */
export interface AssembledContext {
  readonly messages: readonly AgentMessage[];
  readonly estimatedTokens?: number;
  /** Text added to the system prompt. */
  readonly systemPromptAddition?: string;
}

/** Turn that has ended. */
export interface ContextTurnEnd {
  readonly sessionId: string;
  readonly sessionKey: string;
  /** Messages that were sent to the model, followed by those of the turn. */
  readonly messages: readonly AgentMessage[];
  /** Number of messages before the first one of the turn. */
  readonly prePromptMessageCount: number;
  readonly tokenBudget: number;
}

/** Selects the part of a conversation that is sent to the model; called in every turn (PLUG-056). */
export interface ContextEngine {
  readonly info?: {
    readonly id?: string;
    /** True when the host must not compact conversations itself. */
    readonly ownsCompaction?: boolean;
  };
  /** Prepares a session before its first assembly. */
  bootstrap?(session: { readonly sessionId: string; readonly sessionKey: string }): unknown;
  /**
   * Receives one message of a finished turn, when the engine has no `afterTurn`.
   * @param entry - session and message
   */
  ingest?(entry: {
    readonly sessionId: string;
    readonly sessionKey: string;
    readonly message: AgentMessage;
  }): unknown;
  /** @param assembly - conversation and budget */
  assemble(assembly: ContextAssembly): Promise<AssembledContext> | AssembledContext;
  /** @param end - the finished turn */
  afterTurn?(end: ContextTurnEnd): unknown;
  /** Compacts a conversation of an engine that owns the compaction. */
  compact?(request: {
    readonly sessionId: string;
    readonly sessionKey: string;
    readonly tokenBudget: number;
    readonly force?: boolean;
  }): unknown;
  dispose?(): unknown;
}

/** Creates the context engine when the slot selects it, once per generation of the plugin (PLUG-056). */
export type ContextEngineFactory = (context: {
  readonly config: Readonly<Record<string, unknown>>;
  readonly workspaceDir?: string;
}) => ContextEngine | Promise<ContextEngine>;
