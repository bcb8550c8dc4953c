import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import { isObject } from "./json-object.js";
import type { Plan, PlannedStep } from "./plan.js";

/** Formats in which a workflow is drawn. */
export const GRAPH_FORMATS = ["ascii", "mermaid", "dot"] as const;

/** Format in which a workflow is drawn. */
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

/** Connection of two steps: their order, the data that one gives the other, or a condition. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly label: "" | "data" | "when";
}

const REFERENCE = /\$([A-Za-z0-9_-]+)\.[A-Za-z0-9_]+/g;

/**
 * Draws a plan.
 * @param plan - steps in their order
 * @param workflow - the workflow file, for the data that steps pass on; undefined for a pipeline
 * @param format - text for a terminal, Mermaid, or Graphviz
 */
export function drawGraph(
  plan: Plan,
  workflow: JsonObject | undefined,
  format: GraphFormat,
): string {
  const edges = edgesOf(plan, workflow);
  if (format === "mermaid") return mermaid(plan, edges);
  return format === "dot" ? dot(plan, edges) : ascii(plan, edges);
}

/**
 * Returns the connections of the steps of a plan.
 * @param workflow - the workflow file, for the data that steps pass on; undefined for a pipeline
 */
export function edgesOf({ steps }: Plan, workflow: JsonObject | undefined): readonly Edge[] {
  const written = Array.isArray(workflow?.steps) ? workflow.steps.filter(isObject) : [];
  const ids = new Set(steps.map(({ id }) => id));
  const edges: Edge[] = [];
  const add = (edge: Edge) => {
    if (!ids.has(edge.from) || edge.from === edge.to) return;
    const same = edges.filter(({ from, to }) => from === edge.from && to === edge.to);
    if (same.some(({ label }) => label === edge.label)) return;
    const plain = same.find(({ label }) => label === "");
    if (plain === undefined) edges.push(edge);
    else edges[edges.indexOf(plain)] = edge;
  };
  for (const [index, { id }] of steps.entries()) {
    const before = steps[index - 1];
    if (before !== undefined) add({ from: before.id, to: id, label: "" });
    const step = written[index];
    if (step === undefined) continue;
    const { when, condition, ...rest } = step;
    for (const from of references(when ?? condition ?? "")) add({ from, to: id, label: "when" });
    for (const from of references(rest)) add({ from, to: id, label: "data" });
  }
  return edges;
}

function references(value: JsonValue): readonly string[] {
  return Array.from(JSON.stringify(value).matchAll(REFERENCE), ([, id = ""]) => id);
}

function title({ id, kind, does, gate }: PlannedStep): string {
  const [line = ""] = does.split("\n");
  const shown = line.length > 48 ? `${startOfText(line, 47)}…` : line;
  const what = gate === undefined || gate === kind ? kind : `${kind}, ${gate}`;
  return shown === "" ? `${id} (${what})` : `${id} (${what}): ${shown}`;
}

function ascii({ steps }: Plan, edges: readonly Edge[]): string {
  const lines: string[] = [];
  for (const [index, step] of steps.entries()) {
    if (index > 0) lines.push("  │");
    const { gate } = step;
    lines.push(`${gate === undefined ? "●" : "◆"} ${title(step)}`);
    if (step.when !== undefined) lines.push(`  │   when ${step.when}`);
    for (const { from, label } of edges.filter(({ to }) => to === step.id)) {
      if (label === "data") lines.push(`  │   reads ${from}`);
    }
    for (const inner of step.inside ?? []) lines.push(`  ├─ ${title(inner)}`);
  }
  return lines.join("\n");
}

function mermaid({ steps }: Plan, edges: readonly Edge[]): string {
  const names = namesOf(steps);
  const text = (step: PlannedStep) => title(step).replaceAll('"', "#quot;");
  const node = (step: PlannedStep) => {
    const [open, close] = step.gate === undefined ? ["[", "]"] : ["{", "}"];
    return `${names.get(step)}${open}"${text(step)}"${close}`;
  };
  const lines = ["flowchart TD"];
  for (const step of steps) {
    if (step.inside === undefined) {
      lines.push(`  ${node(step)}`);
      continue;
    }
    lines.push(`  subgraph ${names.get(step)}["${text(step)}"]`);
    lines.push(...step.inside.map((inner) => `    ${node(inner)}`), "  end");
  }
  for (const { from, to, label } of edges) {
    const arrow = label === "when" ? "-.->|when|" : label === "data" ? "-->|data|" : "-->";
    lines.push(`  ${nameOf(names, steps, from)} ${arrow} ${nameOf(names, steps, to)}`);
  }
  return lines.join("\n");
}

function dot({ steps }: Plan, edges: readonly Edge[]): string {
  const quote = (text: string) => JSON.stringify(text);
  const lines = ["digraph workflow {", "  rankdir=TB;", "  node [shape=box];"];
  for (const step of steps) {
    const label = [step, ...(step.inside ?? [])].map(title).join("\n");
    const shape = step.gate === undefined ? "" : ", shape=diamond";
    lines.push(`  ${quote(step.id)} [label=${quote(label)}${shape}];`);
  }
  for (const { from, to, label } of edges) {
    const style =
      label === "" ? "" : ` [label=${label}${label === "when" ? ", style=dashed" : ""}]`;
    lines.push(`  ${quote(from)} -> ${quote(to)}${style};`);
  }
  return [...lines, "}"].join("\n");
}

/** Names of nodes, because IDs of steps may have characters that Mermaid does not allow. */
function namesOf(steps: readonly PlannedStep[]): ReadonlyMap<PlannedStep, string> {
  const all = steps.flatMap((step) => [step, ...(step.inside ?? [])]);
  return new Map(all.map((step, index) => [step, `n${index + 1}`]));
}

function nameOf(
  names: ReadonlyMap<PlannedStep, string>,
  steps: readonly PlannedStep[],
  id: string,
): string {
  const step = steps.find((each) => each.id === id);
  return (step && names.get(step)) ?? id;
}
