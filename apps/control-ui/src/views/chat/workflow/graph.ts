import { isRecord } from "../../../components/schema-form/schema.js";
import { connection } from "../../../state/link.js";

/** Step of a workflow as `lobster.gates` describes it. */
export interface WorkflowStep {
  readonly id: string;
  readonly kind: string;
  readonly does: string;
  /** True where the run stops for a person. */
  readonly isGate: boolean;
  readonly when: string | undefined;
  /** Steps whose results it reads. */
  readonly reads: readonly string[];
  /** Steps of a loop, or branches. */
  readonly inside: readonly WorkflowStep[];
}

/** Outcome of a step that the run has begun. */
export interface StepState {
  readonly status: "started" | "ok" | "failed" | "denied";
  readonly ms: number;
}

/** End of a run, or the gate at which it waits, as its result says. */
export interface WorkflowEnd {
  readonly status: string;
  /** Step that failed. */
  readonly failed: string | undefined;
  /** Code of the approval request of the gate. */
  readonly code: string | undefined;
  readonly prompt: string | undefined;
}

/**
 * Reads the steps of a call of `lobster`, in their order; none for a call that continues an earlier one.
 * @param params - parameters of the call
 * @throws GatewayClientError
 */
export async function readSteps(
  sessionKey: string,
  params: unknown,
): Promise<readonly WorkflowStep[]> {
  const { pipeline, filePath, cwd } = fieldsOf(params);
  const open = connection.peek();
  if (open === undefined || (pipeline === undefined && filePath === undefined)) return [];
  const asked = JSON.parse(JSON.stringify({ sessionKey, pipeline, filePath, cwd }));
  const { steps, edges } = fieldsOf(await open.invoke("lobster.gates", asked));
  const data = listOf(edges).map(fieldsOf);
  return listOf(steps).map((step) => stepOf(step, data));
}

/**
 * Reads the states of steps from the output of a running call, of which each line is one.
 * @param output - output so far
 */
export function statesOf(output: string): ReadonlyMap<string, StepState> {
  const states = new Map<string, StepState>();
  for (const line of output.split("\n")) {
    const { step, status, ms } = fieldsOf(jsonOf(line));
    if (typeof step !== "string" || typeof ms !== "number") continue;
    if (status === "started" || status === "ok" || status === "failed" || status === "denied") {
      states.set(step, { status, ms });
    }
  }
  return states;
}

/**
 * Reads the end of a run from the details of the result.
 * @returns undefined while it runs
 */
export function endOf(details: unknown): WorkflowEnd | undefined {
  const { ok, status, error, requiresApproval } = fieldsOf(details);
  if (typeof ok !== "boolean") return undefined;
  const { decideWith, prompt } = fieldsOf(requiresApproval);
  return {
    status: typeof status === "string" ? status : "failed",
    failed: wordsOf(fieldsOf(error).step),
    ...{ code: wordsOf(decideWith), prompt: wordsOf(prompt) },
  };
}

function stepOf(value: unknown, edges: readonly Readonly<Record<string, unknown>>[]): WorkflowStep {
  const { id, kind, does, gate, when, inside } = fieldsOf(value);
  const name = wordsOf(id) ?? "";
  return {
    ...{ id: name, kind: wordsOf(kind) ?? "", does: wordsOf(does) ?? "" },
    ...{ isGate: gate !== undefined, when: wordsOf(when) },
    reads: edges.flatMap(({ from, to, label }) =>
      to === name && label === "data" ? [String(from)] : [],
    ),
    inside: listOf(inside).map((each) => stepOf(each, [])),
  };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function wordsOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
