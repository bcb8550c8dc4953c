import type { SkillCatalog } from "@openclaw/agent";
import {
  type BackgroundProcesses,
  type CoreTool,
  createCoreTools,
  createExtensionTools,
  type MessagePort,
  type SendToSession,
  type StoredCredentials,
} from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import { createJobTools, type Jobs } from "@openclaw/jobs";
import type { WebSearchProvider } from "@openclaw/plugin-sdk/plugin-entry";
import { createRoutineTools, type Routines } from "@openclaw/routines";
import type { RuleSet } from "@openclaw/safety";
import type { HostContext } from "../context.js";
import { FromConfiguration } from "../live-routing.js";
import { createGatewayTool, type GatewayPort } from "./gateway.js";

/** Dependencies of {@link createHostTools}. */
export interface HostToolsDependencies {
  /** Returns the skills whose folders the tools may read; undefined before they are loaded. */
  skills(): Pick<SkillCatalog, "folders"> | undefined;
  /** Receives the commands that continue in the background of sessions. */
  readonly processes: BackgroundProcesses;
  /** Receives the messages that sessions write to each other. */
  readonly sendToSession: SendToSession;
  /** Channels that the message tool reaches. */
  readonly messages: MessagePort;
  /** Returns the provider of web_search; undefined when none is selected. */
  webSearch(): WebSearchProvider | undefined;
  /** Credentials that the host adds to requests; none when absent. */
  readonly credentials?: StoredCredentials | undefined;
  /** Returns the safety rules in force; undefined for the built-in ones. */
  safetyRules(): RuleSet | undefined;
  /** Returns the jobs of the host, when one of their tools is called. */
  jobs(): Jobs;
  /** Returns the routines of the host, when one of their tools is called. */
  routines(): Routines;
  /** Returns the gateway, when its tool is called; undefined for a host that is none. */
  gateway(): GatewayPort | undefined;
}

/**
 * Creates the core tools of the host according to the section `tools`.
 * @param context - configuration, folders, store and clock
 * @param dependencies - skills, background processes, messages between sessions, and safety rules
 */
export function createHostTools(
  { configuration, workspaceDir, environment, state, store, now }: HostContext,
  {
    skills,
    processes,
    sendToSession,
    messages,
    credentials,
    safetyRules,
    webSearch,
    jobs,
    routines,
    gateway,
  }: HostToolsDependencies,
): readonly CoreTool[] {
  const options = {
    readableFolders: () => skills()?.folders() ?? [],
    allowHosts: () => configuration.value.tools?.http?.allowHosts,
    ...defined({ credentials }),
    stateDir: state.dir,
    stateWorkspaceDir: state.workspaceDir,
    environment,
    processes,
    sendToSession,
    messages,
    store,
    now,
    safetyRules,
    webSearch,
  };
  /** By folder, made from the configuration in force. */
  const made = new FromConfiguration(configuration, () => new Map<string, readonly CoreTool[]>());
  const toolsIn = (folder: string) => {
    const { exec, fs, sessions } = configuration.value.tools ?? {};
    const known =
      made.current.get(folder) ??
      createCoreTools({
        ...options,
        sandbox: exec?.sandbox ?? "auto",
        roots: fs?.roots ?? [],
        sessionVisibility: sessions?.visibility ?? "sender",
        workspaceDir: folder,
      });
    made.current.set(folder, known);
    return known;
  };
  const inFolders = toolsIn(workspaceDir).map((tool, index): CoreTool => {
    if (typeof tool !== "function" && !FILE_TOOLS.has(tool.name)) return tool;
    return (session) => {
      const own = toolsIn(session.workspaceDir)[index] ?? tool;
      return typeof own === "function" ? own(session) : own;
    };
  });
  return [
    ...inFolders,
    createJobTools(jobs, () => configuration.value.jobs?.builder === true),
    createRoutineTools(routines),
    createGatewayTool(gateway),
    ...createExtensionTools(() => gateway()?.extensions()),
  ];
}

/** Tools that are made for a workspace, and depend on nothing else of a session. */
const FILE_TOOLS: ReadonlySet<string> = new Set([
  ...["read", "list", "grep", "write", "edit", "apply_patch"],
]);
