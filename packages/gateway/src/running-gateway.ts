import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { Approver, Caller, InboundMessage, ReplyOutcome } from "@openclaw/messaging";
import type { ModelChoice } from "@openclaw/models";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import type { MethodSource } from "@openclaw/server";
import type { Store } from "@openclaw/store";
import type { PolicyWarning } from "@openclaw/tool-policy";
import type { StopReason } from "./host/shutdown.js";
import type { UnattendedTool } from "./host/tools/unattended.js";
import type { ConfigurationReload } from "./reload/reload.js";
import type { StateFolder } from "./state/folder.js";
import type { ModelNotice } from "./state/model-notice.js";

/** A running host. */
export interface Gateway {
  /** URL of the HTTP server; undefined when there is none. */
  readonly url: string | undefined;
  /** Sentence for the operator when other machines can reach the HTTP server. */
  readonly networkNotice: string | undefined;
  readonly state: StateFolder;
  /** Folder in which sessions work that no local chat opened in another one. */
  readonly workspaceDir: string;
  /**
   * Returns the folder in which sessions of an agent work: its own workspace, else that of the gateway.
   * @param agentId - ID of the agent
   */
  workspaceOf(agentId: string): string;
  /** Name and dialect of the database. */
  readonly database: Store["database"];
  /** Sentences for the operator about possible data loss. */
  readonly storeNotices: readonly string[];
  readonly model: ModelChoice;
  /** Notice to the operator about a change of model since the last start. */
  readonly modelNotice: ModelNotice | undefined;
  readonly plugins: PluginGeneration;
  /** Warnings about the tool policy, for example about a plugin whose tools it hides (POL-025). */
  readonly policyWarnings: readonly PolicyWarning[];
  /** Names in the configuration that nothing has, for example of a model, one sentence each (GW-280). */
  readonly unknownNames: readonly string[];
  /** Tools that run without approval in this process. */
  readonly unattendedTools: readonly UnattendedTool[];
  /** State of the sandbox for read-only commands, with the reason when it is not active. */
  readonly sandbox: string;
  /** Reads the configuration file now, and applies its changes (GW-006). */
  reloadConfiguration(): Promise<ConfigurationReload>;
  /** Returns the methods of the protocol, for calls in this process. */
  methods(): Promise<MethodRegistry<GatewayMethods>>;
  /** Returns the methods of the protocol and those of plugins, for calls in this process (SDK-061). */
  methodsOfAll(): Promise<MethodSource>;
  /** Approval requests and their decisions. */
  readonly approvals: ApprovalBroker;
  /**
   * Adds an approver.
   * @param approver - approver that is shown requests and can decide them
   * @returns function that removes the approver
   */
  attend(approver: Approver): () => void;
  /**
   * Listens to the events that clients receive, for a terminal of this process.
   * @param listener - called for each event; not called for a host that serves no clients
   * @returns function that removes the listener
   */
  onEvent(
    listener: (event: { readonly event: string; readonly payload: unknown }) => void,
  ): () => void;
  /**
   * Logs a line that a plugin printed by itself, for a terminal of this process.
   * @param pluginId - the plugin
   * @param line - text without the line break
   */
  logPrinted(this: void, pluginId: string, line: string): void;
  /** Number of turns of an earlier process that this one resumed. */
  readonly recoveredTurns: number;
  /**
   * Processes a message and resolves with its outcome.
   * @param message - message from a surface
   * @param caller - receiver of the reply
   */
  receive(message: InboundMessage, caller?: Caller): Promise<ReplyOutcome>;
  /**
   * Stops the host: it accepts no new messages, turns finish or are suspended, everything closes (GW-009).
   */
  stop(reason: StopReason): Promise<void>;
}
