import type { SpeechProvider } from "../providers/speech.js";
import type { WebSearchProvider } from "../providers/web-search.js";
import type { RuntimeLifecycle } from "./runtime-lifecycle.js";

/** Web search of an older plugin, from which the host makes the tool `web_search`. */
export interface WebToolProvider {
  readonly id: string;
  readonly label?: string;
  /**
   * Creates the tool; null when the provider is not configured.
   * @param context - configuration of the host
   */
  createTool(context: {
    readonly config: Readonly<Record<string, unknown>>;
  }): WebToolDefinition | null | undefined;
}

/** Tool of a `WebToolProvider`. */
export interface WebToolDefinition {
  readonly description: string;
  readonly parameters: object;
  execute(
    params: Record<string, unknown>,
    context: { readonly signal?: AbortSignal },
  ): Promise<unknown> | unknown;
}

/** Event of an agent's run. */
export interface AgentEvent {
  readonly runId: string;
  readonly sessionKey?: string;
  /** For example `lifecycle`, `tool`, `assistant`, or a stream of the plugin. */
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Time in milliseconds since the epoch. */
  readonly ts: number;
}

/** Subscription to the events of agents' runs. */
export interface AgentEventSubscription {
  readonly id: string;
  readonly description?: string;
  /** Streams to receive; all when absent. */
  readonly streams?: readonly string[];
  /** @param event - event of a run */
  handle(event: AgentEvent): unknown;
}

/** Event that a plugin adds to a run. */
export interface AgentEventEmission {
  readonly runId: string;
  readonly stream: string;
  readonly sessionKey?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Event methods of `api.agent`. */
export interface AgentEvents {
  registerAgentEventSubscription(subscription: AgentEventSubscription): void;
  /**
   * Sends an event to the subscriptions of all plugins, and to connected clients as `plugin.<id>.agent`.
   * @param event - run, stream and data
   * @returns true when the event was sent
   */
  emitAgentEvent(event: AgentEventEmission): { readonly emitted: boolean };
}

/** Place of a value in a run. */
export interface RunContextPlace {
  readonly runId: string;
  readonly namespace: string;
}

/** Values that a plugin keeps in memory for a run of an agent; those of the newest 1,000 runs are kept. */
export interface RunContext {
  /**
   * Sets a value.
   * @param patch - run, namespace and value; `unset` removes the value
   * @returns true when the value was stored or removed
   */
  setRunContext(
    patch: RunContextPlace & { readonly value?: unknown; readonly unset?: boolean },
  ): boolean;
  getRunContext(place: RunContextPlace): unknown;
  clearRunContext(place: { readonly runId: string; readonly namespace?: string }): void;
}

/** Action of a session that clients can request. */
export interface SessionAction {
  readonly id: string;
  readonly description?: string;
  /** JSON Schema of the payload; not checked when absent. */
  readonly schema?: object;
  /** Scopes that a caller needs; the widest one applies. */
  readonly requiredScopes?: readonly string[];
  /** @param context - session and payload of the call */
  handler(context: SessionActionContext): unknown;
}

/** Call of a `SessionAction`. */
export interface SessionActionContext {
  readonly pluginId: string;
  readonly actionId: string;
  readonly sessionKey?: string;
  readonly payload?: unknown;
  readonly signal: AbortSignal;
}

/** Controls of sessions, `api.session.controls`. */
export interface SessionControls {
  /** Registers an action, which clients call as the method `<plugin id>.action.<id>` with `{ sessionKey, payload }`. */
  registerSessionAction(action: SessionAction): void;
}

/**
 * Registration methods of older versions of the API. Further ones without an effect on this host exist without a type;
 * the diagnostics of the plugin say what does not work (PLUG-056).
 */
export interface OlderRegistrars {
  /** Alias of `lifecycle.registerRuntimeLifecycle`. */
  registerRuntimeLifecycle(lifecycle: RuntimeLifecycle): void;
  /** Alias of `agent.events.registerAgentEventSubscription`. */
  registerAgentEventSubscription(subscription: AgentEventSubscription): void;
  /** Alias of `agent.events.emitAgentEvent`. */
  emitAgentEvent(event: AgentEventEmission): { readonly emitted: boolean };
  /** Alias of `session.controls.registerSessionAction`. */
  registerSessionAction(action: SessionAction): void;
  /** Alias of `runContext.setRunContext`. */
  setRunContext: RunContext["setRunContext"];
  /** Alias of `runContext.getRunContext`. */
  getRunContext: RunContext["getRunContext"];
  /** Alias of `runContext.clearRunContext`. */
  clearRunContext: RunContext["clearRunContext"];
  /**
   * Registers a provider of web search for the tool `web_search`, which `tools.webSearch.provider` selects.
   * @param provider - the provider; older plugins describe the tool itself, which is then offered without being selected
   */
  registerWebSearchProvider(provider: WebSearchProvider | WebToolProvider): void;
  /**
   * Registers a provider of speech, with which replies are sent as audio, as the section `speech` of the configuration says.
   */
  registerSpeechProvider(provider: SpeechProvider): void;
  /** @param provider - transcription of audio, which the host uses for voice messages */
  registerMediaUnderstandingProvider(provider: MediaUnderstandingProvider): void;
  /** @param provider - image generation, offered to agents as the tool `image_generate` */
  registerImageGenerationProvider(provider: ImageGenerationProvider): void;
}

/** Understanding of media of an older plugin. */
export interface MediaUnderstandingProvider {
  readonly id: string;
  /**
   * Transcribes a recording.
   * @param request - bytes and type of the recording
   */
  transcribeAudio?(request: {
    readonly buffer: Uint8Array;
    readonly fileName: string;
    readonly mime?: string;
    readonly timeoutMs: number;
  }): Promise<{ readonly text: string }>;
}

/** Image generation of an older plugin. */
export interface ImageGenerationProvider {
  readonly id: string;
  readonly label?: string;
  readonly defaultModel?: string;
  /**
   * Generates images.
   * @param request - description and number of the images
   */
  generateImage(request: {
    readonly provider: string;
    readonly model: string;
    readonly prompt: string;
    readonly count: number;
    readonly cfg: Readonly<Record<string, unknown>>;
  }): Promise<{
    readonly images: readonly { readonly buffer: Uint8Array; readonly mimeType: string }[];
  }>;
}
