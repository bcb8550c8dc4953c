import type { SkillProblem } from "@openclaw/agent";
import type { LoadedConfiguration } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import { examinePlugins, type PluginRecord } from "@openclaw/plugin-runtime";
import { openStore } from "@openclaw/store";
import { openHost } from "../host/host.js";
import type { Host } from "../host/running-host.js";
import { type DescribedProvider, describeProviders } from "../methods/model-providers.js";
import { leftOutSkills } from "../methods/skills.js";
import type { StateFolder } from "../state/folder.js";
import { openLog } from "../state/log.js";
import { hookFileProblems } from "./hook-file-problems.js";

/** Plugins and configuration of the host to examine. */
export interface HostExaminationOptions {
  readonly version: string;
  readonly configuration: LoadedConfiguration;
  /** State folder, in which plugins are found. */
  readonly state: StateFolder;
  readonly workspaceDir: string;
  /** Returns true for a folder whose skills and plugins may be used; every folder when absent. */
  isTrusted?(folder: string): boolean;
  readonly bundledExtensions: readonly string[];
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Also calls the default model once, which can cost money. */
  readonly callModel: boolean;
}

/** Plugins and models of a host as they would be after a start. */
export interface HostExamination {
  readonly plugins: readonly PluginRecord[];
  readonly diagnostics: readonly PluginDiagnostic[];
  /** Default model, and whether a provider of it is registered. */
  readonly model: { readonly ref: string; readonly isProvided: boolean };
  readonly providers: readonly DescribedProvider[];
  /** Skills that were left out because of a fault. */
  readonly skillsLeftOut: readonly SkillProblem[];
  /** Error of the call of the default model; undefined when it answered or was not called. */
  readonly modelError: string | undefined;
}

/** Time for the reply of the model, in milliseconds. */
const MODEL_CALL_MS = 30_000;

/**
 * Loads the plugins of a host without serving: nothing is stored, no turn is resumed, and no channel or service starts.
 * @param options - plugins and configuration, with the values of secrets
 * @throws ModelNotFoundError, PolicyConfigError, PluginHookExecutionError of a fail-closed boot hook
 */
export async function examineHost(options: HostExaminationOptions): Promise<HostExamination> {
  await using opening = new AsyncDisposableStack();
  const store = await openStore({ file: ":memory:" });
  opening.defer(() => store.close());
  const host = await openHost({ ...options, store, log: openLog(undefined, { level: "silent" }) });
  opening.defer(() => host.close("command"));
  const { current, inspection } = host.plugins;
  const { ref } = host.model;
  return {
    plugins: current.plugins,
    diagnostics: [
      ...new Set([...current.diagnostics, ...examinePlugins(current, inspection)]),
      ...(await hookFileProblems(host.plugins)),
    ],
    model: { ref, isProvided: host.provides(ref) },
    providers: await describeProviders(host),
    skillsLeftOut: await leftOutSkills(host.services.skills),
    modelError: options.callModel ? await callModel(host) : undefined,
  };
}

async function callModel(host: Host): Promise<string | undefined> {
  try {
    const { model } = await host.services.models.resolve(host.model.ref);
    await model.doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "Reply with OK." }] }],
      maxOutputTokens: 16,
      abortSignal: AbortSignal.timeout(MODEL_CALL_MS),
    });
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}
