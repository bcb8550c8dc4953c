import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { LobsterError } from "../errors.js";
import type { WorkflowDocument } from "./document.js";
import { isObject } from "./json-object.js";

const MOST_BRANCHES = 16;
const MOST_STEPS = 1000;

const EXECUTIONS = ["run", "command", "pipeline", "workflow", "parallel", "for_each"] as const;
const SHARED = ["id", "run", "command", "pipeline", "stdin", "env", "cwd"];
const FIELDS = {
  file: ["name", "description", "args", "env", "cwd", "cost_limit", "steps"],
  step: [
    ...SHARED,
    ...["workflow", "workflow_args", "parallel", "for_each", "item_var", "index_var"],
    ...["batch_size", "pause_ms", "steps", "approval", "input", "when", "condition"],
    ...["timeout_ms", "retry", "on_error"],
  ],
  branch: SHARED,
  loopStep: [...SHARED, "when", "condition"],
  parallel: ["branches", "wait", "timeout_ms"],
  approval: [
    ...["prompt", "items", "preview", "required_approver", "requiredApprover"],
    ...["require_different_approver", "requireDifferentApprover", "initiated_by", "initiatedBy"],
  ],
  input: ["prompt", "responseSchema", "defaults"],
  retry: ["max", "backoff", "delay_ms", "max_delay_ms", "jitter"],
  cost_limit: ["max_usd", "action"],
} as const;

type Path = readonly (string | number)[];

/**
 * Checks the form of a workflow file: known fields, steps with an ID and one kind of work, and the limits of their number
 * (LOB-019). The engine checks types and values.
 * @param document - the parsed file
 * @param name - name of the file, for messages
 * @throws LobsterError of type `parse_error` with the line
 */
export function checkWorkflow(document: WorkflowDocument, name: string): void {
  const { value } = document;
  const fail: (path: Path, problem: string) => never = (path, problem) => {
    throw new LobsterError("parse_error", `${name}:${document.line(path)}: ${problem}`);
  };
  const known = (part: keyof typeof FIELDS, found: JsonValue | undefined, path: Path) => {
    if (!isObject(found)) return;
    for (const key of Object.keys(found)) {
      const fields: readonly string[] = FIELDS[part];
      if (!fields.includes(key)) {
        fail([...path, key], `unknown field "${key}"; expected ${fields.join(", ")}`);
      }
    }
  };
  const steps = value.steps;
  known("file", value, []);
  known("cost_limit", value.cost_limit, ["cost_limit"]);
  if (!Array.isArray(steps) || steps.length === 0) {
    fail(["steps"], "expected a list of at least one step as `steps`");
  }
  let count = 0;
  const ids = new Set<string>();
  const identify = (found: JsonValue | undefined, path: Path): string => {
    count += 1;
    if (count > MOST_STEPS) fail(path, `more than ${MOST_STEPS} steps`);
    if (!isObject(found)) return fail(path, "expected a step, which is an object with an id");
    const { id } = found;
    if (typeof id !== "string" || id === "") return fail(path, "a step needs an id");
    return id;
  };
  for (const [index, step] of steps.entries()) {
    const path: Path = ["steps", index];
    const id = identify(step, path);
    if (!isObject(step)) continue;
    if (ids.has(id)) fail(path, `the step id "${id}" is used twice`);
    ids.add(id);
    known("step", step, path);
    known("approval", step.approval, [...path, "approval"]);
    known("input", step.input, [...path, "input"]);
    known("retry", step.retry, [...path, "retry"]);
    const kinds = EXECUTIONS.filter((kind) => step[kind] !== undefined);
    if (kinds.length > 1) fail(path, `step "${id}" has ${kinds.join(" and ")}; expected one`);
    if (kinds.length === 0 && step.approval === undefined && step.input === undefined) {
      fail(path, `step "${id}" needs one of ${EXECUTIONS.join(", ")}, approval and input`);
    }
    if (isObject(step.parallel)) {
      known("parallel", step.parallel, [...path, "parallel"]);
      const { branches } = step.parallel;
      const inside: Path = [...path, "parallel", "branches"];
      if (!Array.isArray(branches)) fail([...path, "parallel"], "expected branches");
      if (branches.length > MOST_BRANCHES) {
        fail(inside, `${branches.length} branches; at most ${MOST_BRANCHES} can run in parallel`);
      }
      for (const [place, branch] of branches.entries()) {
        identify(branch, [...inside, place]);
        known("branch", branch, [...inside, place]);
      }
    }
    if (step.for_each !== undefined) {
      if (!Array.isArray(step.steps)) fail(path, `for_each of "${id}" needs steps`);
      for (const [place, inner] of step.steps.entries()) {
        identify(inner, [...path, "steps", place]);
        known("loopStep", inner, [...path, "steps", place]);
      }
    } else if (step.steps !== undefined) {
      fail([...path, "steps"], `step "${id}" has steps without for_each`);
    }
  }
}
