import { defined } from "@openclaw/foundation";
import type { ResolvedModel } from "@openclaw/models";
import type { Store } from "@openclaw/store";
import type { Policy, PolicyContext } from "@openclaw/tool-policy";
import { addModel } from "../context/hook-context.js";
import type { RunningTurn } from "../context/turn.js";
import type { ContextWindowDependencies } from "../conversation/context-window.js";
import { type ConversationHistory, loadShown, shownOf } from "../conversation/history.js";
import type { SelectedHarness } from "../harness/harness.js";
import { resolveTurnModel, type TurnModelDependencies } from "../harness/model.js";
import { resumedHarness } from "../harness/selection.js";
import { type ResumptionDependencies, turnRevisions } from "../journal/journal.js";
import type { ResumeState } from "../journal/resume-state.js";
import type { StepOf } from "../journal/steps.js";
import { recordRequest } from "../journal/turn-request.js";
import type { ToolSet } from "../tool-call/tool-entry.js";
import { assembleContext, type ContextEngineDependencies } from "./context-engine.js";
import type { AssembledPrompt } from "./prompt.js";
import { openTurnTools, type TurnToolsDependencies } from "./tools.js";

/** Dependencies of {@link restorePrepared}. */
export type RestoreDependencies = TurnToolsDependencies &
  ContextWindowDependencies &
  ContextEngineDependencies &
  TurnModelDependencies & {
    readonly store: Store;
    readonly resumeState: Pick<ResumeState, "modelWasAsked">;
  };

/** Everything a turn's model loop starts from. */
export interface PreparedTurn {
  readonly model: ResolvedModel;
  readonly prompt: AssembledPrompt;
  /** The conversation before this turn's message. */
  readonly history: ConversationHistory;
  readonly tools: ToolSet;
  readonly policyContext: PolicyContext;
  /** Runs the turn instead of the model loop of the host. */
  readonly harness?: SelectedHarness | undefined;
}

/**
 * Returns the step that records a prepared turn. It is written with the turn's message, which must not be
 * stored before the gate has passed it (TURN-024).
 * @param prepared - the prepared turn that passed the gate
 */
export function preparedStep(
  turn: RunningTurn<Omit<ResumptionDependencies, "store">>,
  { model, prompt, history, tools, policyContext, harness }: PreparedTurn,
): StepOf<"turn-prepared"> {
  const { pin, dependencies, request, state } = turn;
  const { toolsAllow } = policyContext;
  return {
    kind: "turn-prepared",
    model: model.ref,
    prompt: { system: prompt.system, user: prompt.user },
    history: shownOf(history, request.history?.length ?? 0),
    holdsInjections: state.holdsInjections,
    generation: pin.generation,
    ...turnRevisions(dependencies),
    tools: [...tools.keys()],
    asked: recordRequest(turn),
    ...defined({ toolsAllow, harness: harness?.harness.id }),
  };
}

/**
 * Restores a turn that was prepared before, without firing its hooks again. Tools are built again, from the
 * current plugins and under the current policy.
 * @param step - recorded step of the preparation
 * @throws ModelNotFoundError when its model no longer exists
 * @throws AgentHarnessNotFoundError when its harness is no longer registered
 */
export async function restorePrepared(
  turn: RunningTurn<RestoreDependencies>,
  step: StepOf<"turn-prepared">,
): Promise<PreparedTurn> {
  const { model: ref, prompt, history, toolsAllow, holdsInjections } = step;
  const { store, policy, resumeState } = turn.dependencies;
  const model = await resolveTurnModel(turn, ref);
  const harness = resumedHarness(turn, step.harness, ref);
  addModel(turn, model);
  turn.state.holdsInjections = holdsInjections && !resumeState.modelWasAsked;
  const { tools, policyContext } = await openTurnTools(turn, model, harness);
  // A context engine selects again, because the journal has the places of stored messages only.
  const shown = await loadShown(turn.request, history, store);
  const selected = await assembleContext(turn, model, shown);
  return {
    model,
    prompt,
    history: selected.history,
    ...narrowed(tools, policyContext, toolsAllow, policy),
    ...defined({ harness }),
  };
}

/**
 * Returns the tools narrowed to those that hooks allow; the same limit applies to every call (POL-015).
 * @param tools - tools before any hook
 * @param policyContext - policy context without the hooks' limit
 * @param toolsAllow - tools that hooks allow; all tools when undefined
 * @param policy - policy of the turn
 */
export function narrowed(
  tools: ToolSet,
  policyContext: PolicyContext,
  toolsAllow: PolicyContext["toolsAllow"],
  policy: Policy,
): Pick<PreparedTurn, "tools" | "policyContext"> {
  if (toolsAllow === undefined) return { tools, policyContext };
  const narrower = { ...policyContext, toolsAllow };
  return { tools: allowed(tools, policy, narrower), policyContext: narrower };
}

function allowed(tools: ToolSet, policy: Policy, context: PolicyContext): ToolSet {
  return new Map(
    [...tools].filter(([, { policyTool }]) => policy.decide(policyTool, context).allowed),
  );
}
