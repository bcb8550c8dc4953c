import { cwd } from "node:process";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { loadParser } from "../engine/core.js";
import { LobsterError } from "../errors.js";
import { readBundle } from "../workflow/bundle.js";
import { drawGraph, GRAPH_FORMATS } from "../workflow/graph.js";
import { type Plan, type PlannedStep, planPipeline, planWorkflow } from "../workflow/plan.js";
import { print } from "./output.js";
import type { CommandOptions } from "./run-commands.js";

/** Options of `graph` and `dry-run`. */
export interface DrawOptions extends CommandOptions {
  readonly pipeline?: string;
  readonly format?: string;
}

/**
 * Draws a workflow file or a pipeline.
 * @param file - workflow file, relative to the current folder
 * @param options - pipeline and format
 */
export async function graphCommand(
  file: string | undefined,
  { pipeline, format = "ascii", json = false }: DrawOptions,
): Promise<void> {
  const known = GRAPH_FORMATS.find((each) => each === format);
  if (known === undefined) {
    throw new LobsterError(
      "parse_error",
      `--format: expected ${GRAPH_FORMATS.join(", ")}, got "${format}"`,
    );
  }
  const { plan, workflow } = await read(file, pipeline);
  const graph = drawGraph(plan, workflow, known);
  print(json, { format: known, graph }, () => [graph]);
}

/**
 * Prints what a run would do. Nothing runs.
 * @param file - workflow file, relative to the current folder
 * @param options - pipeline and format
 */
export async function dryRunCommand(
  file: string | undefined,
  { pipeline, json = false }: DrawOptions,
): Promise<void> {
  const { plan } = await read(file, pipeline);
  print(json, plan, () => [
    ...plan.steps.flatMap((step) => stepLines(step, "")),
    "",
    `Tools: ${plan.tools.length === 0 ? "none" : plan.tools.join(", ")}`,
    `Approvals: ${plan.approvals.length === 0 ? "none" : plan.approvals.join(", ")}`,
  ]);
}

function stepLines(step: PlannedStep, indent: string): string[] {
  const { id, kind, does, tools, gate, when, inside = [] } = step;
  const notes = [
    ...(tools.length === 0 ? [] : [`calls ${tools.join(", ")}`]),
    ...(gate === undefined ? [] : [gate === "approval" ? "stops for approval" : "asks"]),
    ...(when === undefined ? [] : [`when ${when}`]),
  ];
  const line = `${indent}${id}  ${kind}${does === "" ? "" : `  ${does.replaceAll("\n", " ; ")}`}`;
  return [
    notes.length === 0 ? line : `${line}  [${notes.join("; ")}]`,
    ...inside.flatMap((inner) => stepLines(inner, `${indent}  `)),
  ];
}

async function read(
  file: string | undefined,
  pipeline: string | undefined,
): Promise<{ readonly plan: Plan; readonly workflow: JsonObject | undefined }> {
  if ((file === undefined) === (pipeline === undefined)) {
    throw new LobsterError("parse_error", "give a workflow file, or --pipeline with a pipeline");
  }
  const parse = await loadParser();
  const checked = (text: string) => {
    try {
      return parse(text);
    } catch (error) {
      throw new LobsterError("parse_error", `pipeline: ${String(error)}`);
    }
  };
  if (pipeline !== undefined) {
    return { plan: planPipeline(checked(pipeline)), workflow: undefined };
  }
  const { workflow } = await readBundle(cwd(), cwd(), file ?? "");
  return { plan: planWorkflow(workflow, checked), workflow };
}
