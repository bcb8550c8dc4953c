import type { ApprovalRecord, ApprovalRequest } from "../approvals/approvals.js";
import type { CronService } from "../hooks/lifecycle.js";
import type { PluginApprovalResolution } from "../hooks/tool.js";
import type { SafetyRule } from "../plugin/safety-rule.js";
import type { JsonValue } from "../schema/json.js";
import type {
  NextTurnInjection,
  NextTurnInjectionReceipt,
} from "../sessions/next-turn-injection.js";
import type { AnyAgentTool } from "../tools/definition.js";
import type { PluginStore } from "./plugin-store.js";
import type {
  CommandResult,
  CompletionAnswer,
  CompletionRequest,
  MemoryToolRequest,
  RunCommandOptions,
  SubagentAnswer,
  SubagentRequest,
  VisibleConfig,
} from "./runtime.js";

/** A command as the host is to run it: its options are settled, and the plugin may run it. */
export type HostCommand = Required<Pick<RunCommandOptions, "timeoutMs" | "cwd" | "signal">> &
  Pick<RunCommandOptions, "env" | "input"> & {
    /** The program and its arguments. */
    readonly command: readonly string[];
  };

/** Registrations that only a host can act on; those it does not name are held, and diagnosed. */
export type HostedKind =
  | "commands"
  | "httpRoutes"
  | "channels"
  | "gatewayMethods"
  | "cliCommands"
  | "trustedToolPolicies"
  | "safetyRules"
  | "sessionExtensions"
  | "approvals"
  | "memory"
  | "contextEngines"
  | "compactionProviders"
  | "toolResultMiddlewares"
  | "toolMetadata"
  | "reloadRules"
  | "interactiveHandlers";

/** Names that a plugin may not take, because the host has them. */
export interface HostNames {
  readonly tools?: readonly string[];
  readonly commands?: readonly string[];
  readonly gatewayMethods?: readonly string[];
  readonly cliCommands?: readonly string[];
  /** First parts of addresses, for example `/api`. */
  readonly httpPaths?: readonly string[];
}

/** What the host declares about itself. */
export interface HostDeclarations {
  /** Names that the host keeps for itself; none when absent. */
  readonly names?: HostNames;
  /** Kinds of registrations that the host acts on, beyond tools, providers, hooks and services; none when absent. */
  readonly hosts?: readonly HostedKind[];
  /** Returns whether lines of level `debug` are kept; they are not when absent. */
  isVerbose?(): boolean;
}

/** Access of plugins to the host's configuration. */
export interface HostConfigurationPort {
  /**
   * Returns the host's configuration as one plugin may see it; by default a copy in which values under keys
   * that name secrets are redacted.
   * @param pluginId - the plugin that asks
   */
  visibleConfig?(pluginId: string): VisibleConfig;
  readonly configFile?: {
    replace(pluginId: string, config: Record<string, unknown>): Promise<void>;
    mutate(pluginId: string, change: (draft: Record<string, unknown>) => void): Promise<void>;
  };
}

/** Effects outside the process that plugins ask the host for. */
export interface HostOutsidePort {
  /** Runs a program that the plugin may run. */
  runCommand?(pluginId: string, command: HostCommand): Promise<CommandResult>;
  /**
   * Sends one request of a plugin, without following redirects; its URL and the plugin's permissions are already
   * checked. By default the request is sent over a connection to a checked, public address.
   */
  fetch?(pluginId: string, request: Request): Promise<Response>;
}

/** Models, subagents and memory on behalf of plugins. */
export interface HostAgentPort {
  readonly memoryTools?: {
    search(pluginId: string, request: MemoryToolRequest): AnyAgentTool | null;
    get(pluginId: string, request: MemoryToolRequest): AnyAgentTool | null;
  };
  complete?(pluginId: string, request: CompletionRequest): Promise<CompletionAnswer>;
  runSubagent?(pluginId: string, request: SubagentRequest): Promise<SubagentAnswer>;
}

/** Checks of the rules that plugins add to the safety engine. */
export interface HostSafetyPort {
  /**
   * Returns what is wrong with a rule: its pattern, its examples, or an id that another rule has. Without it only the
   * shape of rules is checked.
   * @param rule - a rule of the right shape
   */
  checkSafetyRule?(
    rule: SafetyRule,
  ): readonly { readonly path: string; readonly message: string }[];
}

/** Storage of plugins. */
export interface HostStoragePort {
  /** Returns the store of one plugin; called once a plugin uses it. */
  openStore?(pluginId: string): PluginStore;
}

/** Approval requests of plugins outside tool calls. */
export interface HostApprovalPort {
  readonly approvals?: {
    request(pluginId: string, request: ApprovalRequest): Promise<PluginApprovalResolution>;
    get(pluginId: string, id: string): Promise<ApprovalRecord | undefined>;
  };
}

/** State and injections that plugins keep with sessions. */
export interface HostSessionPort {
  readonly sessionState?: {
    get(pluginId: string, sessionKey: string, namespace: string): Promise<JsonValue | undefined>;
    patch(
      pluginId: string,
      sessionKey: string,
      namespace: string,
      patch: JsonValue,
    ): Promise<JsonValue>;
    /** Returns the value during a turn of the session, synchronously, for `context.getSessionExtension`. */
    peek?(pluginId: string, sessionKey: string, namespace: string): JsonValue | undefined;
  };
  enqueueInjection?(
    pluginId: string,
    injection: NextTurnInjection,
  ): Promise<NextTurnInjectionReceipt>;
  /** Removes what a disabled plugin kept with sessions, after its last callback has run (PLUG-042). */
  pluginDisabled?(pluginId: string): Promise<void>;
}

/** Scheduled work. */
export interface HostSchedulePort {
  getCron?(): CronService;
}

/**
 * Everything that only a host can do for its plugins, as one object to supply; the code that uses it takes one port.
 * An absent member is missing from `api.runtime`, where it throws `RuntimeCapabilityError`, unless its documentation
 * says otherwise. The plugin that asks is the first parameter.
 */
export interface HostServices
  extends HostDeclarations,
    HostConfigurationPort,
    HostOutsidePort,
    HostAgentPort,
    HostStoragePort,
    HostApprovalPort,
    HostSafetyPort,
    HostSessionPort,
    HostSchedulePort {}
