import { errorMessage, withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk";

/** A model name does not belong to a registered provider (LLM-001). */
export class ModelNotFoundError extends OpenClawError {
  static override readonly code = "MODEL_NOT_FOUND";
  static override readonly kind = "not-found";
  /** The requested name. */
  readonly ref: string;
  /** Existing names, nearest first. */
  readonly nearest: readonly string[];

  constructor(ref: string, problem: string, nearest: readonly string[], nextStep = "") {
    const reason = withSuggestion(`model "${ref}" not found: ${problem}`, nearest);
    super(`${reason}${nearest.length === 0 ? "." : ""} ${nextStep}`.trim());
    this.ref = ref;
    this.nearest = nearest;
  }
}

/** A model belongs to a provider whose package is not installed. */
export class ModelProviderNotInstalledError extends OpenClawError {
  static override readonly code = "MODEL_PROVIDER_NOT_INSTALLED";
  static override readonly kind = "configuration";
  readonly provider: string;

  /**
   * @param provider - ID of the provider
   * @param packageName - package to install
   */
  constructor(provider: string, packageName: string) {
    super(
      `the provider "${provider}" is not installed; run "openclaw plugins install ${packageName}"`,
    );
    this.provider = provider;
  }
}

/** `LLM_BACKEND` names no provider (LLM-008). */
export class UnknownModelBackendError extends OpenClawError {
  static override readonly code = "MODEL_BACKEND_UNKNOWN";
  static override readonly kind = "configuration";

  /**
   * @param value - value of the variable
   * @param known - names of the providers
   * @param nearest - similar names, nearest first
   */
  constructor(
    value: string,
    known: readonly { readonly name: string; readonly aliases: readonly string[] }[],
    nearest: readonly string[],
  ) {
    const list = known
      .map(({ name, aliases }) => [name, ...aliases].join(" or "))
      .filter((names) => names !== "");
    super(
      withSuggestion(
        `LLM_BACKEND is ${JSON.stringify(value)}, expected one of ${list.join(", ")}`,
        nearest,
      ),
    );
  }
}

/** A known provider lacks a key or a URL. */
export class ModelProviderNotReadyError extends OpenClawError {
  static override readonly code = "MODEL_PROVIDER_NOT_READY";
  static override readonly kind = "configuration";
  readonly ref: string;
  readonly provider: string;

  constructor(ref: string, provider: string, setup: string, cause: unknown) {
    super(`model "${ref}" is not available: provider "${provider}" is not set up; ${setup}`, {
      cause,
    });
    this.ref = ref;
    this.provider = provider;
  }
}

/** A provider failed to create a model. */
export class ModelProviderFailedError extends OpenClawError {
  static override readonly code = "MODEL_PROVIDER_FAILED";
  static override readonly kind = "internal";
  readonly ref: string;
  readonly provider: string;

  constructor(ref: string, provider: string, cause: unknown) {
    const reason = errorMessage(cause);
    super(
      `provider "${provider}" failed to create model "${ref}": ${reason}; ` +
        "fix or update the plugin that registers this provider",
      { cause },
    );
    this.ref = ref;
    this.provider = provider;
  }
}

/** A provider cannot be registered: its ID is malformed or taken. */
export class InvalidModelProviderError extends OpenClawError {
  static override readonly code = "MODEL_PROVIDER_INVALID";
  static override readonly kind = "invalid";
  readonly provider: string;

  constructor(provider: string, problem: string) {
    super(`model provider "${provider}" was not registered: ${problem}`);
    this.provider = provider;
  }
}

/** A plugin describes models by an API that this host does not speak (PLUG-103). */
export class UnsupportedDescribedApiError extends OpenClawError {
  static override readonly code = "MODEL_API_UNSUPPORTED";
  static override readonly kind = "invalid";

  /**
   * @param api - name of the API in the description
   * @param modelId - id of the model
   * @param known - names of the APIs that the host speaks
   */
  constructor(api: string, modelId: string, known: readonly string[]) {
    super(
      `the model "${modelId}" is served by the API "${api}", and of described models this host speaks ` +
        `${known.join(", ")}; configure the model with the provider plugin of that API`,
    );
  }
}

/** A model has a specification version that this host does not support (LLM-002). */
export class UnsupportedModelSpecError extends OpenClawError {
  static override readonly code = "MODEL_SPEC_UNSUPPORTED";
  static override readonly kind = "invalid";
  /** Specification version of the model, as text. */
  readonly specificationVersion: string;

  constructor(who: string, specificationVersion: string) {
    super(
      `${who} implements specification version ${specificationVersion}, expected v2, v3 or v4 of the ` +
        "AI SDK LanguageModel; use a version of its provider package that returns one of these",
    );
    this.specificationVersion = specificationVersion;
  }
}

/** A part of a prompt cannot be expressed in the older specification of a model. */
export class UnsupportedPromptPartError extends OpenClawError {
  static override readonly code = "MODEL_PROMPT_UNSUPPORTED";
  static override readonly kind = "invalid";
  /** Type of the prompt part. */
  readonly part: string;

  constructor(model: string, specificationVersion: string, part: string) {
    super(
      `model ${model} implements specification version ${specificationVersion}, which has no form ` +
        `for ${part} in a prompt; leave it out or use a newer version of its provider package`,
    );
    this.part = part;
  }
}

/** A tool has parameters that no model API accepts. */
export class InvalidToolSchemaError extends OpenClawError {
  static override readonly code = "MODEL_TOOL_SCHEMA_INVALID";
  static override readonly kind = "invalid";
  readonly toolName: string;

  constructor(toolName: string, found: unknown) {
    super(
      `tool "${toolName}" cannot be offered to a model: its parameters have type ` +
        `${JSON.stringify(found)}, expected "object"; describe the arguments as one object schema`,
    );
    this.toolName = toolName;
  }
}

/** A script of replies has no step left for a request. */
export class ModelScriptExhaustedError extends OpenClawError {
  static override readonly code = "MODEL_SCRIPT_EXHAUSTED";
  static override readonly kind = "invalid";
  readonly steps: number;

  constructor(steps: number) {
    super(
      `the model script has ${steps} ${steps === 1 ? "step" : "steps"} and request ` +
        `${steps + 1} has no step left; add a step, or find out why the model was called again`,
    );
    this.steps = steps;
  }
}

/** A text is not a script of replies. */
export class InvalidModelScriptError extends OpenClawError {
  static override readonly code = "MODEL_SCRIPT_INVALID";
  static override readonly kind = "invalid";
  /** Source of the text, for example a file's path. */
  readonly source: string;

  constructor(source: string, problem: string) {
    super(`model script ${source} is invalid: ${problem}`);
    this.source = source;
  }
}

/** No model can be called: none is configured, or all of them cool down in strict mode (LLM-021). */
export class NoModelAvailableError extends OpenClawError {
  static override readonly code = "MODEL_NONE_AVAILABLE";
  static override readonly kind = "unavailable";

  /** @param coolingDown - models that cool down, with the milliseconds until they may be called */
  constructor(coolingDown: readonly { readonly ref: string; readonly readyInMs: number }[]) {
    const list = coolingDown.map(
      ({ ref, readyInMs }) => `${ref} for another ${Math.ceil(readyInMs / 1000)} s`,
    );
    super(
      list.length === 0
        ? "No providers available: no model is configured; set agents.defaults.model"
        : `No providers available: every model cools down after failures (${list.join(", ")}); wait, add another model to agents.defaults.fallbacks, or set models.failover.strict to false`,
    );
  }
}
