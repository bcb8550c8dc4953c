/** Message of a request to a model outside a turn. */
export interface CompletionMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** Request to a model outside a turn: a prompt, or the messages of a conversation. */
export interface CompletionRequest {
  readonly prompt?: string;
  readonly messages?: readonly CompletionMessage[];
  readonly system?: string;
  /** Older name of `system`. */
  readonly systemPrompt?: string;
  /** Model as `provider/model`; the agent's model when absent. */
  readonly model?: string;
  readonly maxOutputTokens?: number;
  /** Older name of `maxOutputTokens`. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Full key of the session whose budget the request counts against; only the agent's counts when absent. */
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

/** Response of a model outside a turn. */
export interface CompletionAnswer {
  readonly text: string;
  /** Model that responded, as `provider/model`. */
  readonly model: string;
  /** Provider of the model. */
  readonly provider?: string;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
}

/** Calls models outside a turn. */
export interface RuntimeModels {
  /** @param request - a prompt or messages, without tools */
  complete(request: CompletionRequest): Promise<CompletionAnswer>;
}
