import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import { LLM_TOOL } from "../run/effects.js";
import { isObject } from "./json-object.js";

/** Stage of a pipeline as the engine parses it. */
export interface ParsedStage {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Parses a pipeline. */
export type ParsePipeline = (pipeline: string) => readonly ParsedStage[];

/** Work of one step. */
export interface PlannedStep {
  readonly id: string;
  /** Kind of its work, for example `run` or `approval`. */
  readonly kind: string;
  /** Commands of a pipeline, a command line, or the path of a workflow. */
  readonly does: string;
  /** Tools that it calls. */
  readonly tools: readonly string[];
  /** `approval` or `input` when the run stops here. */
  readonly gate?: "approval" | "input";
  readonly when?: string;
  /** Steps of a loop, or branches. */
  readonly inside?: readonly PlannedStep[];
}

/** Steps of a run with their tools and gates, made without running anything (LOB-033). */
export interface Plan {
  readonly steps: readonly PlannedStep[];
  /** Tools that the run needs, each once. */
  readonly tools: readonly string[];
  /** IDs of the steps at which it stops for a person. */
  readonly approvals: readonly string[];
}

/** Gate of a plan at which a person decides. */
export interface PlannedGate {
  /** ID of its step. */
  readonly id: string;
  /** True when every run that does not fail earlier comes to it. */
  readonly isCertain: boolean;
}

/**
 * Returns the gates of a plan at which a person decides, in order. Steps of loops and branches have none.
 * @param plan - steps of a run
 */
export function gatesOf({ steps }: Plan): readonly PlannedGate[] {
  return steps.flatMap(({ id, gate, when }) =>
    gate === "approval" ? [{ id, isCertain: when === undefined }] : [],
  );
}

/**
 * Returns what a pipeline would do.
 * @param stages - the parsed pipeline
 */
export function planPipeline(stages: readonly ParsedStage[]): Plan {
  return planOf(
    stages.map(({ name, args }, index) => {
      const words = Object.entries(args).flatMap(([key, value]) =>
        key === "_"
          ? (value as readonly string[])
          : [`--${key}`, ...(value === true ? [] : [String(value)])],
      );
      const gate = gateOf([{ name, args }]);
      return {
        id: `${index + 1}:${name}`,
        kind: "stage",
        does: [name, ...words].join(" "),
        tools: toolsOf([{ name, args }]),
        ...defined({ gate }),
      };
    }),
  );
}

/**
 * Returns what a workflow would do.
 * @param workflow - the checked workflow file
 * @param parse - parses the pipelines of steps
 */
export function planWorkflow(workflow: JsonObject, parse: ParsePipeline): Plan {
  const steps = Array.isArray(workflow.steps) ? workflow.steps : [];
  return planOf(steps.flatMap((step) => (isObject(step) ? [planStep(step, parse)] : [])));
}

function planStep(step: JsonObject, parse: ParsePipeline): PlannedStep {
  const when = step.when ?? step.condition;
  const inner = innerSteps(step);
  const work = workOf(step, parse);
  return {
    id: String(step.id),
    ...work,
    ...(when === undefined ? {} : { when: String(when) }),
    ...(inner === undefined ? {} : { inside: inner.map((each) => planStep(each, parse)) }),
  };
}

function workOf(
  step: JsonObject,
  parse: ParsePipeline,
): Pick<PlannedStep, "kind" | "does" | "tools" | "gate"> {
  const own =
    step.approval !== undefined && step.approval !== false
      ? ({ gate: "approval" } as const)
      : step.input !== undefined
        ? ({ gate: "input" } as const)
        : {};
  const command = step.run ?? step.command;
  if (typeof command === "string") {
    return { kind: "run", does: command.trim(), tools: ["exec"], ...own };
  }
  if (typeof step.pipeline === "string") {
    const stages = parse(step.pipeline);
    return { kind: "pipeline", does: step.pipeline.trim(), tools: toolsOf(stages), ...own };
  }
  if (typeof step.workflow === "string") {
    return { kind: "workflow", does: step.workflow, tools: [], ...own };
  }
  if (step.parallel !== undefined) return { kind: "parallel", does: "", tools: [], ...own };
  if (step.for_each !== undefined) {
    return { kind: "for_each", does: String(step.for_each), tools: [], ...own };
  }
  const kind = own.gate ?? "step";
  return { kind, does: promptOf(step.approval ?? step.input), tools: [], ...own };
}

function promptOf(gate: JsonValue | undefined): string {
  if (typeof gate === "string") return gate;
  return isObject(gate) && typeof gate.prompt === "string" ? gate.prompt : "";
}

function innerSteps({ steps, parallel }: JsonObject): readonly JsonObject[] | undefined {
  const inner = isObject(parallel) ? parallel.branches : steps;
  return Array.isArray(inner) ? inner.filter(isObject) : undefined;
}

function toolsOf(stages: readonly ParsedStage[]): readonly string[] {
  const tools = stages.flatMap(({ name, args }) => {
    if (name === "openclaw.invoke" || name === "clawd.invoke") return [String(args.tool ?? "?")];
    if (name === "openclaw.agent") return ["sessions_spawn"];
    if (name === "llm.invoke" || name === "llm_task.invoke") return [LLM_TOOL];
    if (name === "email.triage") return args.llm === true ? [LLM_TOOL] : [];
    if (name === "exec" || name.startsWith("gog.") || name === "workflows.run") return ["exec"];
    return [];
  });
  return [...new Set(tools)];
}

function gateOf(stages: readonly ParsedStage[]): "approval" | "input" | undefined {
  if (stages.some(({ name }) => name === "approve")) return "approval";
  return stages.some(({ name }) => name === "ask") ? "input" : undefined;
}

function planOf(steps: readonly PlannedStep[]): Plan {
  const all = (list: readonly PlannedStep[]): readonly PlannedStep[] =>
    list.flatMap((step) => [step, ...all(step.inside ?? [])]);
  return {
    steps,
    tools: [...new Set(all(steps).flatMap(({ tools }) => tools))].sort(),
    approvals: all(steps).flatMap(({ id, gate }) => (gate === "approval" ? [id] : [])),
  };
}
