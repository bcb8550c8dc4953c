import type { LoadedConfiguration } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import {
  examineHost,
  type HostExamination,
  type StateFolder,
  TrustedFolders,
} from "@openclaw/gateway";
import type { RunningGateway } from "../../host/running-gateway.js";
import { bundledExtensions, installation, sdkModules } from "../../installation.js";
import { workspaceFolderOf } from "../../workspaces/folder.js";
import { type CheckResult, passed } from "./check.js";

/** Plugins and models, of a running gateway or as a start would load them. */
type Examination = Pick<HostExamination, "model" | "providers" | "modelError"> & {
  readonly plugins: readonly {
    readonly id: string;
    readonly status: string;
    readonly reason?: string | undefined;
  }[];
  readonly skillsLeftOut: readonly { readonly message: string }[];
  readonly diagnostics: readonly {
    readonly level: "info" | "warn" | "error";
    readonly code: string;
    readonly message: string;
    readonly hint?: string | undefined;
    readonly pluginId?: string | undefined;
  }[];
};

/** Dependencies of {@link checkPlugins}. */
export interface PluginCheckOptions {
  readonly running: RunningGateway | undefined;
  readonly state: StateFolder;
  /** Configuration with the values of its secrets. */
  readonly configuration: LoadedConfiguration;
  readonly environment: NodeJS.ProcessEnv;
  /** Calls the default model once. */
  readonly isDeep: boolean;
}

/**
 * Checks each plugin, with its use of older interfaces, and the models. Without a running gateway the plugins are loaded
 * in this process; no service or channel starts.
 * @param options - gateway or configuration
 */
export async function checkPlugins(options: PluginCheckOptions): Promise<CheckResult[]> {
  let examination: Examination;
  try {
    examination = await examine(options);
  } catch (error) {
    return [
      {
        name: "start",
        status: "fail",
        message: errorMessage(error),
        hint: "a start of the gateway would fail in the same way",
      },
    ];
  }
  return [
    ...examination.plugins.flatMap((plugin) => pluginResults(plugin, examination)),
    ...examination.diagnostics
      .filter(({ pluginId }) => !examination.plugins.some(({ id }) => id === pluginId))
      .flatMap((diagnostic) => diagnosticResult("plugins", diagnostic)),
    ...skillResults(examination),
    ...modelResults(examination, options.isDeep),
  ];
}

async function examine(options: PluginCheckOptions): Promise<Examination> {
  const { running, state, configuration, environment, isDeep } = options;
  const http = running?.http;
  if (http === undefined || isDeep) {
    const trusted = new TrustedFolders(state.trustedFoldersFile);
    return examineHost({
      ...{ configuration, state, environment },
      version: installation.version,
      workspaceDir: workspaceFolderOf(environment, configuration).dir,
      isTrusted: (folder) => trusted.includes(folder),
      bundledExtensions: bundledExtensions(),
      sdkModules: sdkModules(),
      callModel: isDeep,
    });
  }
  const [{ plugins, diagnostics }, { providers }, { model: ref, skillsLeftOut }] =
    await Promise.all([
      http.client.call("plugins.doctor", {}),
      http.client.call("models.list", {}),
      http.client.call("host.status", {}),
    ]);
  const isProvided = providers.some(({ id }) => id === ref.split("/")[0]);
  return {
    ...{ plugins, diagnostics, providers, skillsLeftOut },
    model: { ref, isProvided },
    modelError: undefined,
  };
}

function pluginResults(
  { id, status, reason }: Examination["plugins"][number],
  { diagnostics }: Examination,
): CheckResult[] {
  const name = `plugin:${id}`;
  const own = diagnostics
    .filter(({ pluginId }) => pluginId === id)
    .flatMap((diagnostic) => diagnosticResult(name, diagnostic));
  if (own.length > 0) return own;
  if (status !== "error")
    return [passed(name, reason === undefined ? status : `${status} (${reason})`)];
  return [{ name, status: "fail", message: reason ?? "failed to load" }];
}

function diagnosticResult(
  name: string,
  { level, message, hint }: Examination["diagnostics"][number],
): CheckResult[] {
  if (level === "info") return [];
  return [{ name, status: level === "error" ? "fail" : "warn", message, hint }];
}

function skillResults({ skillsLeftOut }: Examination): CheckResult[] {
  if (skillsLeftOut.length === 0) return [passed("skills", "none was left out")];
  return skillsLeftOut.map(({ message }) => ({
    name: "skills",
    status: "warn",
    message,
    hint: "`openclaw skills list` shows every skill",
  }));
}

function modelResults(
  { model: { ref, isProvided }, providers, modelError }: Examination,
  isDeep: boolean,
): CheckResult[] {
  const provider = providers.find(({ id }) => id === ref.split("/")[0]);
  const name = "model";
  if (!isProvided || provider === undefined) {
    const hint = "enable the plugin of the provider, or set agents.defaults.model";
    return [{ name, status: "fail", message: `no provider of ${ref} is registered`, hint }];
  }
  if (!provider.ready) {
    const message = `${ref} cannot be called: its provider is not set up`;
    return [{ name, status: "fail", message, hint: provider.setup }];
  }
  if (modelError !== undefined) {
    const hint = "check key, URL and the name of the model";
    return [{ name, status: "fail", message: `${ref} did not answer: ${modelError}`, hint }];
  }
  return [passed(name, `${ref}${isDeep ? " answered" : " is set up"}`)];
}
