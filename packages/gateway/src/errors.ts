import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A text of a plugin was not spoken. */
export class SpeechFailedError extends OpenClawError {
  static override readonly code = "SPEECH_FAILED";
  static override readonly kind = "unavailable";

  /**
   * @param reason - failure and next step
   * @param cause - failure of the provider
   */
  constructor(reason: string, cause?: unknown) {
    super(`the text was not spoken: ${reason}`, { cause });
  }
}

/** The host serves no HTTP, which a method needs. */
export class ListenerMissingError extends OpenClawError {
  static override readonly code = "LISTENER_MISSING";
  static override readonly kind = "unavailable";

  /** @param what - thing that only a gateway with a listener can create */
  constructor(what: string) {
    super(
      `${what} is not possible, because this process serves no HTTP; start the gateway with \`openclaw gateway run\``,
    );
  }
}

/** A session in a browser asked for another session, and would never end (UI-037). */
export class SessionExtensionError extends OpenClawError {
  static override readonly code = "SESSION_EXTENSION";
  static override readonly kind = "forbidden";

  constructor() {
    super(
      "a session does not create another one, so that it ends after 12 hours; sign in again, for example with `openclaw console`",
    );
  }
}

/** No tool has the name that policy was asked to explain. */
export class ToolNotFoundError extends OpenClawError {
  static override readonly code = "TOOL_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly tool: string;

  constructor(tool: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `tool "${tool}" not found`,
        nearest,
        "use the name of a core tool or of a tool of an enabled plugin",
      ),
    );
    this.tool = tool;
  }
}

/** No background task has the name. */
export class TaskNotFoundError extends OpenClawError {
  static override readonly code = "TASK_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param name - name that was called
   * @param nearest - similar name of a task, if there is one
   */
  constructor(name: string, nearest: string | undefined) {
    const next = "`openclaw status` lists the tasks of a running gateway";
    super(withSuggestion(`background task "${name}" not found`, nearest, next));
  }
}

/** The state folder has no backup with the given name. */
export class BackupNotFoundError extends OpenClawError {
  static override readonly code = "BACKUP_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param name - name that was given */
  constructor(name: string) {
    super(`backup "${name}" not found; \`backups.list\` returns the names`);
  }
}

/** The application that runs the gateway has no doctor. */
export class DoctorUnavailableError extends OpenClawError {
  static override readonly code = "DOCTOR_UNAVAILABLE";
  static override readonly kind = "unavailable";

  constructor() {
    super(
      "this gateway has no checks of its installation: it was started by an application or for one command; start it with `openclaw gateway run`",
    );
  }
}

/** The doctor offers no repair with the given ID, or no longer. */
export class RepairNotFoundError extends OpenClawError {
  static override readonly code = "REPAIR_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param repair - ID that was given */
  constructor(repair: string) {
    super(
      `repair "${repair}" is not offered, or was made already; \`doctor.examine\` returns the current findings`,
    );
  }
}

/** No stored run has the given ID. */
export class RunNotFoundError extends OpenClawError {
  static override readonly code = "RUN_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly runId: string;

  constructor(runId: string) {
    super(
      `run "${runId}" not found; \`openclaw trace\` without an ID shows the newest run, and the log contains the run IDs of messages`,
    );
    this.runId = runId;
  }
}

/** A plugin deleted a session that it did not start. */
export class PluginSessionDeniedError extends OpenClawError {
  static override readonly code = "PLUGIN_SESSION_DENIED";
  static override readonly kind = "forbidden";
  readonly pluginId: string;
  readonly sessionKey: string;

  constructor(pluginId: string, sessionKey: string) {
    super(
      `plugin "${pluginId}" may not delete session "${sessionKey}": a plugin deletes only sessions that its own turns started since the host runs; delete it with \`openclaw session delete ${sessionKey}\``,
    );
    this.pluginId = pluginId;
    this.sessionKey = sessionKey;
  }
}

/** A plugin made an external request in a replay, which must have no side effects. */
export class ReplayReachesOutsideError extends OpenClawError {
  static override readonly code = "REPLAY_REACHES_OUTSIDE";
  static override readonly kind = "forbidden";
  readonly pluginId: string;

  constructor(pluginId: string) {
    super(
      `plugin "${pluginId}" made an external request, which a replay denies; expect a difference in steps that depend on the response`,
    );
    this.pluginId = pluginId;
  }
}

/** No recorded policy decision has the given ID. */
export class PolicyDecisionNotFoundError extends OpenClawError {
  static override readonly code = "POLICY_DECISION_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly decisionId: string;

  constructor(decisionId: string) {
    super(
      `policy decision "${decisionId}" not found; decisions are kept for tools.policyLog.retentionDays (30 by default), and \`openclaw policy explain <tool>\` explains the current policy`,
    );
    this.decisionId = decisionId;
  }
}

/** This version of the product would make a recorded decision differently. */
export class PolicyDecisionChangedError extends OpenClawError {
  static override readonly code = "POLICY_DECISION_CHANGED";
  static override readonly kind = "conflict";
  readonly decisionId: string;

  constructor(decisionId: string) {
    super(
      `cannot explain decision "${decisionId}": the built-in groups or profiles have changed since it was recorded; explain it with the version that recorded it`,
    );
    this.decisionId = decisionId;
  }
}

/** The catalog has no hook with the given name. */
export class HookNotFoundError extends OpenClawError {
  static override readonly code = "HOOK_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly hook: string;

  constructor(hook: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `hook "${hook}" not found`,
        nearest,
        "run `openclaw hooks list --all` for a list",
      ),
    );
    this.hook = hook;
  }
}

/** A plugin that the operator named for this process, with `--plugin`, does not run (PLUG-086). */
export class NamedPluginError extends OpenClawError {
  static override readonly code = "NAMED_PLUGIN_FAILED";
  static override readonly kind = "internal";
  /** Paths of the plugins. */
  readonly paths: readonly string[];

  /** @param failures - path, reason and next step of each plugin that does not run */
  constructor(
    failures: readonly {
      readonly path: string;
      readonly reason: string;
      readonly nextStep: string;
    }[],
  ) {
    const lines = failures.map(
      ({ path, reason, nextStep }) => `--plugin ${path}: ${reason}; ${nextStep}`,
    );
    super(lines.join("\n"));
    this.paths = failures.map(({ path }) => path);
  }
}

/** The plugin in the memory slot does not offer a tool that a method of the memory calls, or there is none (GW-028). */
export class MemoryUnavailableError extends OpenClawError {
  static override readonly code = "MEMORY_UNAVAILABLE";
  static override readonly kind = "unavailable";

  /** @param tool - name of the tool */
  constructor(tool: string) {
    super(
      `no plugin offers the tool ${tool}; enable a plugin with a memory, for example "openclaw plugins enable memory"`,
    );
  }
}

/** A tool of the memory failed or was denied (GW-028). */
export class MemoryCallFailedError extends OpenClawError {
  static override readonly code = "MEMORY_CALL_FAILED";
  static override readonly kind = "invalid";

  /**
   * @param tool - name of the tool
   * @param reason - its answer, which names the parameter that is wrong
   */
  constructor(tool: string, reason: string) {
    super(`${tool}: ${reason}`);
  }
}

/** A skill was not installed (EXT-547). */
export class SkillInstallRefusedError extends OpenClawError {
  static override readonly code = "SKILL_INSTALL_REFUSED";
  static override readonly kind = "conflict";

  /**
   * @param subject - name of the skill, or its source
   * @param reason - reason
   * @param nextStep - advice that fixes it
   */
  constructor(subject: string, reason: string, nextStep: string) {
    super(`"${subject}" is not installed: ${reason}; ${nextStep}`);
  }
}

/** No installed skill has this name (EXT-547). */
export class SkillNotInstalledError extends OpenClawError {
  static override readonly code = "SKILL_NOT_INSTALLED";
  static override readonly kind = "not-found";

  /**
   * @param name - name of the skill
   * @param nearest - name that resembles it
   */
  constructor(name: string, nearest: string | undefined) {
    const hint = nearest === undefined ? "" : `did you mean "${nearest}"? `;
    super(
      `the skill "${name}" was not installed with \`openclaw skills install\`: ${hint}skills of your own folders are changed there`,
    );
  }
}

/** The workspace is a part of the state folder that is closed to the tools (D27). */
export class WorkspaceInStateFolderError extends OpenClawError {
  static override readonly code = "WORKSPACE_IN_STATE_FOLDER";
  static override readonly kind = "configuration";

  /**
   * @param workspaceDir - the workspace
   * @param stateDir - the state folder
   */
  constructor(workspaceDir: string, stateDir: string) {
    super(
      `the workspace ${workspaceDir} is inside the state folder ${stateDir}, whose files no tool may read or write; set agents.defaults.workspace to a folder outside of it, or run the command in the folder of a project`,
    );
  }
}
