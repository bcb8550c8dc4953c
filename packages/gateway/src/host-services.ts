import { createApprovals, createCoreTools, type TurnServices } from "@openclaw/agent";
import {
  chooseModel,
  createDemoProvider,
  createModelCatalog,
  type ModelChoice,
} from "@openclaw/models";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { LoadedConfiguration } from "./configuration.js";
import { hostPolicy } from "./host-policy.js";
import type { StateFolder } from "./state-folder.js";

const DEFAULT_ITERATIONS = 50;

/** What the services of turns are made from. */
export interface TurnServicesOptions {
  readonly configuration: LoadedConfiguration;
  readonly workspaceDir: string;
  readonly model?: string;
  readonly approvedTools?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly state: StateFolder;
  readonly store: Store;
  readonly plugins: PluginRuntime;
  readonly logger: Logger;
}

/**
 * Puts together what every turn uses: models, tools, policy and approvals.
 * @param options - configuration and the host's parts
 * @throws ModelNotFoundError when the chosen model does not exist
 */
export async function buildTurnServices(
  options: TurnServicesOptions,
): Promise<{ services: TurnServices; model: ModelChoice }> {
  const { configuration, state, plugins, environment } = options;
  const { agents = {}, tools = {} } = configuration.value;
  const providers = [
    createDemoProvider(),
    ...plugins.current.providers.map(({ provider }) => provider),
  ];
  const models = createModelCatalog(providers);
  const model = chooseModel({ requested: requestedModel(options), providers });
  const coreTools = createCoreTools({
    workspaceDir: options.workspaceDir,
    roots: tools.fs?.roots ?? [],
    allowHosts: tools.http?.allowHosts ?? [],
    stateDir: state.dir,
    stateWorkspaceDir: state.workspaceDir,
    environment,
  });
  const services: TurnServices = {
    store: options.store,
    models,
    policy: hostPolicy(configuration, coreTools, plugins.current.tools),
    approvals: createApprovals({
      needs: tools.approval ?? {},
      approvedTools: options.approvedTools ?? [],
    }),
    coreTools,
    toolTimeouts: tools.timeouts ?? {},
    maxIterations: agents.defaults?.maxIterations ?? DEFAULT_ITERATIONS,
    logger: options.logger,
    now: Date.now,
  };
  return { services, model };
}

function requestedModel({ model, configuration, environment }: TurnServicesOptions) {
  if (model !== undefined) return { ref: model, source: "flag" as const };
  const configured = configuration.value.agents?.defaults?.model;
  if (configured !== undefined) return { ref: configured, source: "config" as const };
  const backend = environment.LLM_BACKEND;
  if (backend === undefined || backend === "") return undefined;
  return { ref: backend.replaceAll("_", "-"), source: "backend" as const };
}
