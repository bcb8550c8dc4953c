import { defined } from "@openclaw/foundation";
import type { ModelCatalog, ResolvedModel } from "@openclaw/models";
import type { Store } from "@openclaw/store";
import type { Policy, PolicyContext } from "@openclaw/tool-policy";
import { addModel } from "../context/hook-context.js";
import type { RunningTurn } from "../context/turn.js";
import { type ConversationHistory, loadShown, shownOf } from "../conversation/history.js";
import type { ResumeState } from "../journal/resume-state.js";
import type { StepOf } from "../journal/steps.js";
import { recordRequest } from "../journal/turn-request.js";
import type { ToolSet } from "../tool-call/tool-entry.js";
import type { AssembledPrompt } from "./prompt.js";
import { openTurnTools, type TurnToolsDependencies } from "./tools.js";

/** Dependencies of {@link restorePrepared}. */
export type RestoreDependencies = TurnToolsDependencies & {
  readonly store: Store;
  readonly models: Pick<ModelCatalog, "resolve">;
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
}

/**
 * The step that holds a prepared turn. It is written with the turn's message, which a gate may keep out
 * of every place until then (TURN-024).
 * @param turn - the running turn
 * @param prepared - what its gate let pass
 */
export function preparedStep(
  turn: RunningTurn<{ readonly configRevision: string }>,
  { model, prompt, history, tools, policyContext }: PreparedTurn,
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
    configRevision: dependencies.configRevision,
    tools: [...tools.keys()],
    asked: recordRequest(turn),
    ...defined({ toolsAllow }),
  };
}

/**
 * Puts a turn together as it was prepared before, without asking any hook again. Tools are built
 * again, from the current plugins and under the current policy.
 * @param turn - the running turn
 * @param step - how it was prepared
 * @throws ModelNotFoundError when its model is gone
 */
export async function restorePrepared(
  turn: RunningTurn<RestoreDependencies>,
  { model: ref, prompt, history, toolsAllow, holdsInjections }: StepOf<"turn-prepared">,
): Promise<PreparedTurn> {
  const { models, store, policy, resumeState } = turn.dependencies;
  const model = await models.resolve(ref);
  addModel(turn.state, model);
  turn.state.holdsInjections = holdsInjections && !resumeState.modelWasAsked;
  const { tools, policyContext } = await openTurnTools(turn, model);
  const shown = await loadShown(turn.request, history, store);
  return { model, prompt, history: shown, ...narrowed(tools, policyContext, toolsAllow, policy) };
}

/**
 * What a hook allows can only narrow the set, and holds at every call too (POL-015).
 * @param tools - before any hook
 * @param policyContext - the circumstances without it
 * @param toolsAllow - what hooks allow; everything when undefined
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
