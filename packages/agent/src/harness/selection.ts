import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AgentHarnessSupport } from "@openclaw/plugin-sdk/plugin-entry";
import type { RunningTurn } from "../context/turn.js";
import { AgentHarnessNotFoundError, AgentHarnessUnsupportedError } from "../errors.js";
import type { OfferedHarness, SelectedHarness } from "./harness.js";
import { type AgentRuntimeChoice, AUTO_RUNTIME, isBuiltIn } from "./runtime.js";

/** Dependencies of {@link selectHarness}. */
export interface HarnessSelectionDependencies {
  /**
   * Returns the runtime that the configuration names for the turns of an agent with a model.
   * @param ref - `provider/model`
   */
  readonly agentRuntimeOf?: ((agentId: string, ref: string) => AgentRuntimeChoice) | undefined;
  /** Harnesses of the host, which run the jobs whose mode names them (JOB-038). */
  readonly jobHarnesses?: readonly OfferedHarness[] | undefined;
  readonly logger: Logger;
  callPlugin?<Result>(pluginId: string, execute: () => Result): Result;
}

/** Time of an attempt without a configuration, in milliseconds. */
const TIMEOUT_MS = 600_000;

const DEFAULT_CHOICE: AgentRuntimeChoice = {
  id: undefined,
  timeoutMs: undefined,
  setting: "agents.defaults.agentRuntime.id",
};

type Turn = RunningTurn<HarnessSelectionDependencies>;

interface NamedModel {
  readonly ref: string;
  readonly provider: string;
  readonly modelId: string;
}

/**
 * Returns the harness that runs a turn: the one that the configuration names, with `auto` the one that supports the model
 * with the highest priority, and without a setting one whose plugin also provides the model (PLUG-700).
 * @param model - model of the turn
 * @returns undefined for the model loop of the host
 * @throws AgentHarnessNotFoundError when the named harness is not registered
 * @throws AgentHarnessUnsupportedError when the named harness cannot run the model
 */
export async function selectHarness(
  turn: Turn,
  model: NamedModel,
): Promise<SelectedHarness | undefined> {
  const choice = choiceOf(turn, model.ref);
  const { id } = choice;
  if (id !== undefined && isBuiltIn(id)) return undefined;
  const offered = offeredTo(turn);
  if (id === undefined || id === AUTO_RUNTIME) {
    const asked = offered.filter((each) => isAsked(each, model.provider, id));
    return selected(await strongest(turn, asked, model), choice);
  }
  const named = namedHarness(turn, choice);
  const support = await supportOf(turn, named, model, id);
  if (support.supported) return selected(named, choice);
  throw new AgentHarnessUnsupportedError(
    { id, setting: choice.setting, model: model.ref },
    support.reason,
  );
}

/**
 * Returns the harness with which a turn began.
 * @param turn - the resumed turn
 * @param id - ID of the harness; undefined for the model loop of the host
 * @param ref - `provider/model` of the turn
 * @throws AgentHarnessNotFoundError when it is no longer registered
 */
export function resumedHarness(
  turn: Turn,
  id: string | undefined,
  ref: string,
): SelectedHarness | undefined {
  if (id === undefined) return undefined;
  const choice = choiceOf(turn, ref);
  return selected(namedHarness(turn, { ...choice, id }), choice);
}

/**
 * Returns true when the configuration names a registered harness for a model, which then needs no provider of the host.
 * @param ref - `provider/model`
 */
export function hasNamedHarness(turn: Turn, ref: string): boolean {
  const { id } = choiceOf(turn, ref);
  return offeredTo(turn).some(({ harness }) => harness.id === id);
}

/** Mode of a job whose turns run in the model loop, or in the harness of a plugin. */
const IN_PROCESS = "worker";

function ownMode({ request }: Turn): string | undefined {
  const mode = request.job?.mode;
  return mode === IN_PROCESS ? undefined : mode;
}

/** A job of another mode has the harnesses of the host alone, so that it is never run with less separation. */
function offeredTo(turn: Turn): readonly OfferedHarness[] {
  const own = ownMode(turn);
  return (own === undefined ? turn.pin.agentHarnesses : turn.dependencies.jobHarnesses) ?? [];
}

function choiceOf(turn: Turn, ref: string): AgentRuntimeChoice {
  const { request, dependencies } = turn;
  const mode = ownMode(turn);
  if (mode !== undefined) return { id: mode, timeoutMs: undefined, setting: "the mode of the job" };
  return dependencies.agentRuntimeOf?.(request.agentId, ref) ?? DEFAULT_CHOICE;
}

function namedHarness(
  turn: Turn,
  { id, setting }: Pick<AgentRuntimeChoice, "id" | "setting">,
): OfferedHarness {
  const offered = offeredTo(turn);
  const named = offered.find(({ harness }) => harness.id === id);
  if (named !== undefined) return named;
  const registered = offered.map(({ harness }) => harness.id);
  throw new AgentHarnessNotFoundError({ id: id ?? "", setting }, registered);
}

/** Without a setting, a harness is asked about the models of its plugin only. */
function isAsked(
  { harness, ownProviders }: OfferedHarness,
  provider: string,
  id: string | undefined,
): boolean {
  const { autoSelection } = harness;
  if (autoSelection !== undefined && !autoSelection.providerIds.includes(provider)) return false;
  return id === AUTO_RUNTIME || ownProviders.includes(provider);
}

async function strongest(
  turn: Turn,
  asked: readonly OfferedHarness[],
  model: NamedModel,
): Promise<OfferedHarness | undefined> {
  let best: { readonly offered: OfferedHarness; readonly priority: number } | undefined;
  for (const offered of asked) {
    const { pluginId, harness } = offered;
    try {
      const support = await supportOf(turn, offered, model, AUTO_RUNTIME);
      if (!support.supported) continue;
      const { priority = 0 } = support;
      if (best === undefined || priority > best.priority) best = { offered, priority };
    } catch (error) {
      turn.dependencies.logger.warn(
        `agent harness "${harness.id}" of plugin "${pluginId}" is not asked to run ${model.ref}: ${errorMessage(error)}`,
        { code: "AGENT_HARNESS_NOT_ASKED", pluginId, runId: turn.request.runId },
      );
    }
  }
  return best?.offered;
}

async function supportOf(
  { dependencies }: Turn,
  { pluginId, harness }: OfferedHarness,
  { provider, modelId }: NamedModel,
  requestedRuntime: string,
): Promise<AgentHarnessSupport> {
  const ask = () => harness.supports({ provider, modelId, requestedRuntime });
  const support: unknown = await (dependencies.callPlugin?.(pluginId, ask) ?? ask());
  if (typeof support !== "object" || support === null || !("supported" in support)) {
    throw new Error("supports() must return { supported: true } or { supported: false, reason }");
  }
  if (support.supported === true) {
    const priority = "priority" in support ? support.priority : 0;
    return { supported: true, priority: typeof priority === "number" ? priority : 0 };
  }
  const reason = "reason" in support ? support.reason : undefined;
  return typeof reason === "string" ? { supported: false, reason } : { supported: false };
}

function selected(
  offered: OfferedHarness | undefined,
  { timeoutMs = TIMEOUT_MS }: AgentRuntimeChoice,
): SelectedHarness | undefined {
  if (offered === undefined) return undefined;
  const { pluginId, harness, tools } = offered;
  return { pluginId, harness, tools, timeoutMs };
}
