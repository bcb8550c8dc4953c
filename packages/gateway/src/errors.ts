import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** One thing that is wrong in a configuration file. */
export interface ConfigurationProblem {
  /** Dotted path of the key, empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
  /** What to write instead. */
  readonly suggestion?: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

/** The configuration file cannot be used as it is (GW-005). */
export class ConfigurationError extends OpenClawError {
  static override readonly code = "CONFIG_INVALID";
  static override readonly kind = "configuration";
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(formatProblem);
    super(
      `the configuration has ${problems.length === 1 ? "an error" : `${problems.length} errors`}:\n` +
        `${lines.map((line) => `  ${line}`).join("\n")}\n` +
        "Fix the file and check it with `openclaw config validate`.",
    );
    this.problems = problems;
  }
}

/**
 * One line that says where a problem is, what it is, and what to write instead.
 * @param problem - the problem
 */
export function formatProblem(problem: ConfigurationProblem): string {
  const place = `${problem.file}:${problem.line}:${problem.column}`;
  const key = problem.key === "" ? "" : ` ${problem.key}:`;
  const suggestion = problem.suggestion === undefined ? "" : `; ${problem.suggestion}`;
  return `${place}${key} ${problem.message}${suggestion}`;
}

const WRITABLE = "make it writable for this user, or choose another with OPENCLAW_STATE_DIR";

/** The state folder cannot be made or written, or holds something that cannot be used. */
export class StateFolderError extends OpenClawError {
  static override readonly code = "STATE_FOLDER_UNUSABLE";
  static override readonly kind = "forbidden";
  // The folder is closed to the host, not the method to the client.
  static override readonly surface = { httpStatus: 500, wireCode: "INTERNAL" } as const;
  readonly folder: string;

  constructor(
    folder: string,
    problem: string,
    { nextStep = WRITABLE, cause }: { nextStep?: string; cause?: unknown } = {},
  ) {
    super(`the state folder ${folder} ${problem}; ${nextStep}`, { cause });
    this.folder = folder;
  }
}

/** No tool has the name that policy was asked about. */
export class ToolNotFoundError extends OpenClawError {
  static override readonly code = "TOOL_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly tool: string;

  constructor(tool: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `there is no tool "${tool}"`,
        nearest,
        "ask for a tool of the core or of an enabled plugin",
      ),
    );
    this.tool = tool;
  }
}

/** No run has the id, or none any more. */
export class RunNotFoundError extends OpenClawError {
  static override readonly code = "RUN_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly runId: string;

  constructor(runId: string) {
    super(
      `there is no run "${runId}"; \`openclaw trace\` alone shows the newest, and the log names the runs of messages`,
    );
    this.runId = runId;
  }
}

/** A plugin wants to reach outside the host in a replay, which has no effects. */
export class ReplayReachesOutsideError extends OpenClawError {
  static override readonly code = "REPLAY_REACHES_OUTSIDE";
  static override readonly kind = "forbidden";
  readonly pluginId: string;

  constructor(pluginId: string) {
    super(
      `"${pluginId}" wants to reach outside the host, which a replay refuses; expect the step to differ where its answer counts`,
    );
    this.pluginId = pluginId;
  }
}

/** No decision of policy with the id is recorded, or none any more. */
export class PolicyDecisionNotFoundError extends OpenClawError {
  static override readonly code = "POLICY_DECISION_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly decisionId: string;

  constructor(decisionId: string) {
    super(
      `no decision "${decisionId}" is recorded; decisions about tool calls are kept for tools.policyLog.retentionDays, 30 when it is absent, and \`openclaw policy explain <tool>\` says what holds now`,
    );
    this.decisionId = decisionId;
  }
}

/** A recorded decision would come out otherwise in this version of the product. */
export class PolicyDecisionChangedError extends OpenClawError {
  static override readonly code = "POLICY_DECISION_CHANGED";
  static override readonly kind = "conflict";
  readonly decisionId: string;

  constructor(decisionId: string) {
    super(
      `decision "${decisionId}" cannot be explained as it was made: the built-in groups or profiles of this version differ from those that decided; explain it with the version that recorded it`,
    );
    this.decisionId = decisionId;
  }
}

/** The catalog has no hook of the name. */
export class HookNotFoundError extends OpenClawError {
  static override readonly code = "HOOK_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly hook: string;

  constructor(hook: string, nearest: string | undefined) {
    super(
      withSuggestion(`there is no hook "${hook}"`, nearest, "`openclaw hooks list` shows them all"),
    );
    this.hook = hook;
  }
}

/** What a plugin was to be installed from cannot be used (PLUG-046). */
export class PluginSourceError extends OpenClawError {
  static override readonly code = "PLUGIN_SOURCE_UNUSABLE";
  static override readonly kind = "invalid";
  /** As the operator wrote it. */
  readonly requested: string;

  constructor(requested: string, problem: string, nextStep: string, cause?: unknown) {
    super(`"${requested}" cannot be installed: ${problem}; ${nextStep}`, { cause });
    this.requested = requested;
  }
}

/** A plugin is not installed, or not as asked, because something decided against it (PLUG-046). */
export class PluginInstallRefusedError extends OpenClawError {
  static override readonly code = "PLUGIN_INSTALL_REFUSED";
  static override readonly kind = "conflict";
  readonly pluginId: string;

  constructor(pluginId: string, reason: string, nextStep: string) {
    super(`plugin "${pluginId}" is not installed: ${reason}; ${nextStep}`);
    this.pluginId = pluginId;
  }
}
