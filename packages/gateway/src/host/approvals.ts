import { ApprovalBroker, type NotifyPlugin } from "@openclaw/approval-broker";
import type { LoadedConfiguration } from "@openclaw/configuration";
import { type BackgroundTasks, defined, type Timers } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import { canonicalToolName } from "@openclaw/tool-policy";
import { FromConfiguration } from "./live-routing.js";
import { probeSandbox } from "./sandbox-state.js";
import { approvedTool } from "./tools/unattended.js";

/** Options of {@link createHostApprovals}. */
export interface HostApprovalsOptions {
  readonly configuration: LoadedConfiguration;
  /** Value of `--approve-tool`. */
  readonly approvedTools?: readonly string[] | undefined;
  readonly workspaceDir: string;
  /** State folder of the host, which the sandbox hides; without it the sandbox is not used. */
  readonly stateDir?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly store: Store;
  readonly logger: Logger;
  /** Timers for deadlines; those of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Background tasks of the host; absent where no host runs. */
  readonly tasks?: Pick<BackgroundTasks, "add"> | undefined;
  /** Returns the plugins that are notified of decisions; absent when none run. */
  plugins?(): Pick<PluginRuntime, "current">;
}

/**
 * Creates the approval broker of a host from its configuration. Tools may be given by any of their names.
 * @param options - configuration, store, log and timers
 */
export function createHostApprovals(options: HostApprovalsOptions): ApprovalBroker {
  const { configuration, store, logger, timers, tasks, environment } = options;
  const approvedTools = (options.approvedTools ?? []).map((written) => {
    const { name, isAny } = approvedTool(written);
    return isAny ? `${name}=any` : name;
  });
  const isSandboxed = sandboxTest(options);
  const locate = (path: readonly (string | number)[]) => configuration.locate(path);
  const live = new FromConfiguration(configuration, ({ approvals, tools: changed }) => {
    const needs = Object.entries(changed?.approval ?? {});
    const sandboxesAllowed = changed?.exec?.sandbox === "required";
    return {
      ...approvals,
      needs: Object.fromEntries(needs.map(([name, need]) => [canonicalToolName(name), need])),
      ...{ approvedTools, isSandboxed, sandboxesAllowed, locate },
    };
  });
  return new ApprovalBroker({
    store,
    logger,
    settings: () => live.current,
    place: () => ({
      path: environment.PATH ?? "",
      workspaceDir: options.workspaceDir,
      roots: configuration.value.tools?.fs?.roots ?? [],
    }),
    ...defined({
      timers,
      tasks,
      notifyPlugin: options.plugins === undefined ? undefined : notifyHandlersOf(options.plugins),
    }),
  });
}

/** Returns a function that tests the sandbox once for a workspace, when the first command needs the result. */
function sandboxTest(options: HostApprovalsOptions) {
  const { configuration, stateDir } = options;
  const active = new Map<string, Promise<boolean>>();
  return async (): Promise<boolean> => {
    const mode = configuration.value.tools?.exec?.sandbox ?? "auto";
    if (mode !== "auto" || stateDir === undefined) return false;
    const { workspaceDir } = options;
    const tested =
      active.get(workspaceDir) ??
      probeSandbox(configuration, workspaceDir, stateDir).then((state) => state.active);
    active.set(workspaceDir, tested);
    return await tested;
  };
}

/**
 * Notifies every handler of the plugin, including those that failed before: each is notified at least once.
 */
function notifyHandlersOf(plugins: () => Pick<PluginRuntime, "current">): NotifyPlugin {
  return async (approval) => {
    const handlers = plugins().current.approvalHandlers.filter(
      ({ pluginId }) => pluginId === approval.pluginId,
    );
    const told = await Promise.allSettled(
      handlers.map(async ({ handler }) => handler(structuredClone(approval))),
    );
    for (const outcome of told) if (outcome.status === "rejected") throw outcome.reason;
  };
}
