import type {
  ApprovalReach,
  ApprovalRecord,
  ApprovalRequest,
  ApprovalSubmission,
  SubmittedApproval,
} from "../approvals/approvals.js";
import type { OlderChannelRuntime } from "../channel/older-runtime.js";
import type { CronService } from "../hooks/lifecycle.js";
import type { PluginApprovalResolution } from "../hooks/tool.js";
import type { GatewayScope } from "../http/gateway-method.js";
import type { AgentMessage } from "../message/message.js";
import type { SafetyRule } from "../plugin/safety-rule.js";
import type { RepeatedWork } from "../plugin/service.js";
import type { DescribedModels } from "../providers/described-provider.js";
import type { LanguageModel } from "../providers/language-model.js";
import type { JsonValue } from "../schema/json.js";
import type {
  NextTurnInjection,
  NextTurnInjectionReceipt,
} from "../sessions/next-turn-injection.js";
import type { AnyAgentTool, NestedToolResult } from "../tools/definition.js";
import type { ToolInvocation } from "./agents.js";
import type { EmbeddingAnswer, EmbeddingModelInfo, EmbeddingRequest } from "./embeddings.js";
import type { HostJobPort } from "./jobs.js";
import type { CredentialPrompt, MessageReceipt, PluginMessage } from "./messages.js";
import type { CompletionAnswer, CompletionMessage } from "./models.js";
import type { PluginStore } from "./plugin-store.js";
import type { ProcessSandbox, RunningProcess } from "./process.js";
import type {
  CommandResult,
  MemoryToolRequest,
  RunCommandOptions,
  VisibleConfig,
} from "./runtime.js";
import type { FoundSecret } from "./safety.js";
import type { RuntimeSpeech } from "./speech.js";

/** Command for the host to run: its options are complete, and the plugin has permission to run it. */
export type HostCommand = Required<Pick<RunCommandOptions, "timeoutMs" | "cwd" | "signal">> &
  Pick<RunCommandOptions, "env" | "input" | "maxOutputBytes" | "graceMs"> & {
    /** Program and arguments. */
    readonly command: readonly string[];
  };

/** Process for the host to start: its options are complete, and the plugin has permission to start it. */
export interface HostProcess {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly sandbox?: ProcessSandbox;
  /** Ends the process with its group. */
  readonly signal: AbortSignal;
}

/** Kinds of registrations that the host supports; the others are kept inactive and reported in diagnostics. */
export type HostedKind =
  | "commands"
  | "httpRoutes"
  | "channels"
  | "adapterChannels"
  | "gatewayMethods"
  | "cliCommands"
  | "trustedToolPolicies"
  | "safetyRules"
  | "sessionExtensions"
  | "approvals"
  | "memory"
  | "contextEngines"
  | "compactionProviders"
  | "agentHarnesses"
  | "toolResultMiddlewares"
  | "toolMetadata"
  | "reloadRules"
  | "interactiveHandlers"
  | "oauthCredentials";

/** Names that are reserved for the host. */
export interface HostNames {
  readonly tools?: readonly string[];
  readonly commands?: readonly string[];
  readonly gatewayMethods?: readonly string[];
  readonly cliCommands?: readonly string[];
  /** First segments of URL paths, for example `/api`. */
  readonly httpPaths?: readonly string[];
  /** Names of the host's own surfaces, which a channel must not have. */
  readonly channels?: readonly string[];
}

/** Declarations of the host. */
export interface HostDeclarations {
  /** Names reserved for the host; none when absent. */
  readonly names?: HostNames;
  /** Supported kinds of registrations in addition to tools, providers, hooks and services; none when absent. */
  readonly hosts?: readonly HostedKind[];
  /** Kinds that a running gateway acts on and this process does not, for example during an install; none when absent. */
  readonly gatewayHosts?: readonly HostedKind[];
  /** Returns true when lines of level `debug` are logged; they are not when absent. */
  isVerbose?(): boolean;
  /**
   * Returns a value without secrets by the rules in force; the built-in rules apply when absent.
   * @param value - any value; it is not modified
   */
  redact?(value: unknown): unknown;
  /**
   * Returns the secrets of a text by the rules in force; the built-in rules apply when absent.
   * @param text - text of any length
   */
  findSecrets?(text: string): readonly FoundSecret[];
}

/** Change of one value of the configuration; an undefined value removes the key. */
export interface HostConfigChange {
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
}

/** Access of plugins to the host's configuration. */
export interface HostConfigurationPort {
  /**
   * Returns the host's configuration for one plugin; by default a copy in which values of keys with names of secrets
   * are redacted.
   */
  visibleConfig?(pluginId: string): VisibleConfig;
  /** Changes the configuration file; the result is checked as a whole before it is written. */
  readonly configFile?: {
    change(pluginId: string, changes: readonly HostConfigChange[]): Promise<void>;
  };
}

/** Side effects outside the process that plugins request from the host. */
export interface HostOutsidePort {
  /** Runs a program that the plugin has permission to run. */
  runCommand?(pluginId: string, command: HostCommand): Promise<CommandResult>;
  /** Starts a program that the plugin has permission to start, and ends it when the signal aborts. */
  startProcess?(pluginId: string, process: HostProcess): Promise<RunningProcess>;
  /**
   * Sends one request of a plugin, without following redirects; its URL and the plugin's permissions are already
   * checked. By default the request is sent over a connection to a checked, public address.
   */
  fetch?(pluginId: string, request: Request): Promise<Response>;
}

/** Request of a plugin to a model. */
export interface HostQuestion {
  /** At least one message of the user or of the assistant. */
  readonly messages: readonly (CompletionMessage & { readonly role: "user" | "assistant" })[];
  readonly system?: string;
  /** Model as `provider/model`; the model of the default agent when absent. */
  readonly model?: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** Session whose budget the request counts against. */
  readonly sessionKey?: string;
  readonly signal: AbortSignal;
}

/** Turn of an agent for a plugin. */
export interface HostAgentTurn {
  readonly prompt: string;
  /** Session as the plugin named it; the host decides the full key. */
  readonly sessionKey: string;
  readonly model?: string;
  readonly signal: AbortSignal;
}

/** Reply of an agent to a plugin. */
export interface HostAgentReply {
  readonly status: "completed" | "failed" | "aborted";
  readonly text: string;
}

/** Models, subagents and memory on behalf of plugins. */
export interface HostAgentPort {
  readonly memoryTools?: {
    search(pluginId: string, request: MemoryToolRequest): AnyAgentTool | null;
    get(pluginId: string, request: MemoryToolRequest): AnyAgentTool | null;
  };
  /** Asks a model once, without tools. */
  complete?(pluginId: string, question: HostQuestion): Promise<CompletionAnswer>;
  /** Embedding models for plugins. */
  readonly embeddings?: {
    model(name?: string): Promise<EmbeddingModelInfo>;
    embed(request: EmbeddingRequest): Promise<EmbeddingAnswer>;
  };
  /** Speech for plugins. */
  readonly speech?: RuntimeSpeech;
  /** Creates a model that a plugin describes by the API that serves it. */
  describedModel?(models: DescribedModels, modelId: string): Promise<LanguageModel>;
  /** Runs a turn of an agent, as for a message. */
  runAgent?(pluginId: string, turn: HostAgentTurn): Promise<HostAgentReply>;
  /** Calls a tool in a session without a model, with the rights of the requester. */
  invokeTool?(
    pluginId: string,
    invocation: ToolInvocation & { readonly signal: AbortSignal },
  ): Promise<NestedToolResult>;
  /** Returns the newest messages of a session, oldest first. */
  sessionMessages?(
    pluginId: string,
    sessionKey: string,
    limit?: number,
  ): Promise<readonly AgentMessage[]>;
  /** Deletes a session that the plugin started. */
  deleteSession?(pluginId: string, sessionKey: string): Promise<void>;
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
  /** Returns the store of one plugin; called on first use. */
  openStore?(pluginId: string): PluginStore;
}

/** Approval requests of plugins outside tool calls. */
export interface HostApprovalPort {
  readonly approvals?: {
    request(pluginId: string, request: ApprovalRequest): Promise<PluginApprovalResolution>;
    submit(pluginId: string, request: ApprovalSubmission): Promise<SubmittedApproval>;
    cancel(pluginId: string, id: string): Promise<boolean>;
    get(pluginId: string, id: string): Promise<ApprovalRecord | undefined>;
    /** Returns the outcome of a request of a session if it were made now; without it `api.approvals.reach` throws. */
    reach?(pluginId: string, sessionKey: string): Promise<ApprovalReach>;
  };
}

/** Event of a plugin for connected clients. */
export interface HostEvent {
  /** Name, `plugin.<plugin id>.<event>`. */
  readonly name: string;
  /** JSON value. */
  readonly payload: unknown;
  /** Scope that a client needs to receive it. */
  readonly scope: GatewayScope;
}

/** Events of plugins for connected clients (GW-030). */
export interface HostEventPort {
  /** Sends an event to the connected clients; without it `api.gatewayEvents.emit` throws. */
  publishEvent?(pluginId: string, event: HostEvent): void;
}

/** Access of one plugin to the host, for its `api.runtime.channel`. */
export interface HostChannelAccess {
  /** Returns the configuration as the plugin may see it. */
  config(): VisibleConfig;
  /** Fetches within the permissions of the plugin. */
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
}

/** Messages of plugins that answer none. */
export interface HostMessagePort {
  /** Sends a message to a conversation; without it `api.runtime.messages` is undefined. */
  sendMessage?(pluginId: string, message: PluginMessage): Promise<MessageReceipt>;
  /**
   * Returns the `api.runtime.channel` of one plugin, which is undefined without it.
   * @param access - configuration and network of the plugin
   */
  channelRuntime?(pluginId: string, access: HostChannelAccess): OlderChannelRuntime;
  /** Asks a conversation for a credential of a plugin. */
  requestCredential?(pluginId: string, prompt: CredentialPrompt): Promise<void>;
}

/** OAuth credentials of plugins. */
export interface HostOAuthPort {
  /**
   * Returns an access token of a credential; without it `api.runtime.oauth` is undefined.
   * @param id - ID of the credential within the plugin
   * @param rejected - token that the service rejected, which is not returned
   */
  accessToken?(pluginId: string, id: string, rejected?: string): Promise<string>;
}

/** Session state and injections of plugins. */
export interface HostSessionPort {
  /**
   * Returns the full key of a session for what a plugin names, for example of the short key `main`; keys of plugins are
   * used unchanged when absent.
   * @param sessionKey - full or short key
   */
  fullSessionKey?(sessionKey: string): string;
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
  /** Removes the session data of a disabled plugin, after its last callback has run (PLUG-042). */
  pluginDisabled?(pluginId: string): Promise<void>;
}

/** Scheduled work. */
export interface HostSchedulePort {
  /**
   * Repeats work of a plugin, as a background task of the host.
   * @returns ends it
   */
  repeat?(pluginId: string, work: RepeatedWork): () => void;
  getCron?(): CronService;
}

/**
 * Services that a host supplies to its plugins. Code that uses them depends on one port only. A capability of
 * `api.runtime` whose member is absent here is `undefined`, unless documented otherwise. The first parameter of each
 * function is the id of the calling plugin.
 */
export interface HostServices
  extends HostDeclarations,
    HostConfigurationPort,
    HostOutsidePort,
    HostAgentPort,
    HostStoragePort,
    HostApprovalPort,
    HostJobPort,
    HostSafetyPort,
    HostSessionPort,
    HostEventPort,
    HostMessagePort,
    HostOAuthPort,
    HostSchedulePort {}
