import { errorMessage } from "@openclaw/foundation";
import { ModelRequestError, type ModelRequestFailure } from "@openclaw/models";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/**
 * Abort reason of turns whose host stops: they write nothing more and resume from their journals after its
 * next start.
 */
export class TurnSuspendedError extends OpenClawError {
  static override readonly code = "TURN_SUSPENDED";
  static override readonly kind = "unavailable";

  constructor() {
    super("the host is stopping; the turn resumes after its next start");
  }
}

/** A resumed turn does not repeat the steps in its journal. */
export class TurnRecordError extends OpenClawError {
  static override readonly code = "TURN_RECORD";
  static override readonly kind = "conflict";
  readonly runId: string;

  /**
   * @param runId - the run
   * @param expected - step that the turn is about to take
   * @param found - step that the journal contains instead
   */
  constructor(runId: string, expected: string, found: string) {
    super(
      `run ${runId} cannot resume from its journal: the next step is ${expected}, but the journal contains ${found}; send the message again`,
    );
    this.runId = runId;
  }
}

/** Policy denies a tool that the client of a request offers. */
export class ClientToolDeniedError extends OpenClawError {
  static override readonly code = "CLIENT_TOOL_DENIED";
  static override readonly kind = "forbidden";
  readonly tool: string;

  /**
   * @param tool - name of the tool
   * @param denial - text of the denial, with the rule that made it
   */
  constructor(tool: string, denial: string) {
    super(
      `the tool ${JSON.stringify(tool)} of the request is not allowed: ${denial}. Remove it from the request, or allow it in the tool policy, for example with group:client`,
    );
    this.tool = tool;
  }
}

/** A model gave no text, also when it was asked once more (TURN-200). */
export class EmptyReplyError extends OpenClawError {
  static override readonly code = "EMPTY_REPLY";
  static override readonly kind = "unavailable";

  /**
   * @param model - `<provider id>/<model id>`
   * @param stopReason - reason with which the model ended
   */
  constructor(model: string, stopReason: string) {
    super(
      `model ${model} gave no text, also when it was asked once more${EMPTY_BECAUSE[stopReason] ?? "; send the message again, or choose another model"}`,
    );
  }
}

/** Reasons of an empty reply with their remedies. */
const EMPTY_BECAUSE: Readonly<Record<string, string>> = {
  length:
    ", because its reasoning reached the limit of its output; raise the maximum number of tokens, or choose another model",
  "content-filter":
    ", because a filter of the provider removed its text; ask in other words, or choose another model",
};

/** A budget leaves no room for a call of a model (TURN-029, LLM-031). */
export class ModelBudgetError extends OpenClawError {
  static override readonly code = "MODEL_BUDGET_EXHAUSTED";
  static override readonly kind = "rate-limited";

  /** @param problem - the budget, what is used of it, when it starts again, and the setting that raises it */
  constructor(problem: string) {
    super(`the model was not called: ${problem}`);
    this.problem = problem;
  }

  /** The message without its first words, to explain the end of a turn. */
  readonly problem: string;
}

/** A runtime as the configuration names it. */
interface NamedRuntime {
  readonly id: string;
  /** Path of the key that names it. */
  readonly setting: string;
}

const BUILT_IN_INSTEAD = 'or set it to "openclaw" for the model loop of the host';

/** No plugin registered the agent harness that the configuration names (PLUG-701). */
export class AgentHarnessNotFoundError extends OpenClawError {
  static override readonly code = "AGENT_HARNESS_NOT_FOUND";
  static override readonly kind = "configuration";

  /**
   * @param runtime - the harness
   * @param registered - IDs of the registered ones
   */
  constructor({ id, setting }: NamedRuntime, registered: readonly string[]) {
    const others =
      registered.length === 0
        ? "no plugin registers one"
        : `registered are ${registered.map((each) => JSON.stringify(each)).join(", ")}`;
    super(
      `${setting} names the agent harness ${JSON.stringify(id)}, which is not registered: ${others}. Install or enable its plugin, name another one, ${BUILT_IN_INSTEAD}`,
    );
  }
}

/** The agent harness that the configuration names cannot run the model (PLUG-701). */
export class AgentHarnessUnsupportedError extends OpenClawError {
  static override readonly code = "AGENT_HARNESS_UNSUPPORTED";
  static override readonly kind = "configuration";

  /**
   * @param runtime - the harness, and the model of the turn
   * @param reason - reason of the harness; undefined when it gave none
   */
  constructor(
    { id, setting, model }: NamedRuntime & { readonly model: string },
    reason: string | undefined,
  ) {
    super(
      `agent harness ${JSON.stringify(id)}, which ${setting} names, does not run model ${model}${reason === undefined ? "" : ` (${reason})`}. Choose a model that it supports, name another harness, ${BUILT_IN_INSTEAD}`,
    );
  }
}

/** A harness and its plugin. */
interface FailedHarness {
  readonly pluginId: string;
  readonly harnessId: string;
}

/** An agent harness failed during a turn; the turn is not repeated by another runtime (PLUG-704). */
export class AgentHarnessFailedError extends ModelRequestError {
  static override readonly code = "AGENT_HARNESS_FAILED";

  /**
   * @param failure - model of the turn
   * @param harness - the harness, and what it threw
   */
  constructor(
    failure: ModelRequestFailure,
    { pluginId, harnessId, error }: FailedHarness & { readonly error: unknown },
  ) {
    const problem = `was not run, because agent harness ${JSON.stringify(harnessId)} of plugin ${JSON.stringify(pluginId)} failed`;
    const detail = errorMessage(error);
    super(
      { ...failure, detail, cause: error },
      problem,
      "fix the cause and send the message again",
      false,
    );
  }
}

/** An agent harness showed no sign of life (PLUG-704). */
export class AgentHarnessTimeoutError extends ModelRequestError {
  static override readonly code = "AGENT_HARNESS_TIMEOUT";
  static override readonly kind = "timeout";

  /**
   * @param failure - model of the turn
   * @param harness - the harness and its time in milliseconds
   */
  constructor(
    failure: ModelRequestFailure,
    { pluginId, harnessId, timeoutMs }: FailedHarness & { readonly timeoutMs: number },
  ) {
    const problem = `was not run to its end, because agent harness ${JSON.stringify(harnessId)} of plugin ${JSON.stringify(pluginId)} showed no sign of life for ${timeoutMs / 1000} s, the limit of agentRuntime.timeoutMs`;
    super(failure, problem, "check the program behind it, or raise the limit", true);
  }
}
