import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { FaultNote } from "../../../components/fault-note.js";
import { type MarkState, StateMark } from "../../../components/state-mark.js";
import { inbox } from "../../../state/approvals.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { duration, firstLine } from "../../../text/format.js";
import { text } from "../messages.js";
import { ApprovalCard } from "../parts/approval-card.js";
import {
  endOf,
  readSteps,
  type StepState,
  statesOf,
  type WorkflowEnd,
  type WorkflowStep,
} from "./graph.js";

/** Name of the tool that runs workflows. */
export const WORKFLOW_TOOL = "lobster";

/** Steps of a workflow as a graph, with their states, and the answers to the gate at which it waits. */
export function WorkflowGraph({
  sessionKey,
  params,
  output,
  details,
}: {
  sessionKey: string;
  params: unknown;
  /** Output of the call while it runs. */
  output: string;
  /** Details of its result. */
  details: unknown;
}) {
  const steps = useSignal<readonly WorkflowStep[]>([]);
  const fault = useSignal<Fault | undefined>(undefined);
  const asked = JSON.stringify(params);
  useEffect(() => {
    readSteps(sessionKey, params).then(
      (read) => {
        steps.value = read;
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, [sessionKey, asked]);
  const end = endOf(details);
  const request =
    end?.code === undefined ? undefined : inbox.value.find(({ code }) => code === end.code);
  const marks = marksOf(steps.value, statesOf(output), end);
  return (
    <>
      {steps.value.length > 0 && (
        <ol class="wfgraph t12" aria-label={text.workflowSteps}>
          {steps.value.map((step, index) => (
            <Step key={step.id} step={step} {...marks[index]} />
          ))}
        </ol>
      )}
      {fault.value !== undefined && <FaultNote fault={fault.value} />}
      {request !== undefined ? (
        <ApprovalCard approval={request} isOfSubagent={false} />
      ) : (
        end?.prompt !== undefined && <p class="t12">{text.gateSettled(end.prompt)}</p>
      )}
    </>
  );
}

interface StepMark {
  readonly mark?: MarkState;
  readonly ms?: number | undefined;
}

function Step({ step, mark = "waiting", ms }: { step: WorkflowStep } & StepMark) {
  const { id, kind, does, isGate, when, reads, inside } = step;
  return (
    <li data-gate={isGate}>
      <StateMark state={mark} label={text.stepState(mark)} />
      <span>
        <b class="mono">{id}</b> <span class="dim">{isGate ? text.gate(kind) : kind}</span>{" "}
        <span class="mid">{firstLine(does)}</span>
        {when !== undefined && <span class="sub"> {text.when(when)}</span>}
        {reads.length > 0 && <span class="sub"> {text.reads(reads.join(", "))}</span>}
        {inside.length > 0 && (
          <ol>
            {inside.map((each) => (
              <li key={each.id} data-gate={each.isGate}>
                <b class="mono">{each.id}</b> <span class="mid">{firstLine(each.does)}</span>
              </li>
            ))}
          </ol>
        )}
      </span>
      {ms !== undefined && <span class="num dim">{duration(ms)}</span>}
    </li>
  );
}

const MARKS = { started: "running", ok: "done", failed: "failed", denied: "blocked" } as const;

/**
 * Returns the mark of each step. What the run reported comes first; the result tells about the others, because a run takes
 * its steps in their order.
 */
function marksOf(
  steps: readonly WorkflowStep[],
  states: ReadonlyMap<string, StepState>,
  end: WorkflowEnd | undefined,
): readonly StepMark[] {
  const reported = steps.map(
    ({ id }) => states.get(id) ?? states.get(id.slice(id.indexOf(":") + 1)),
  );
  const last = reported.findLastIndex((state) => state !== undefined);
  const gate = end?.prompt === undefined ? -1 : gateOf(steps, end.prompt, last);
  const failed = steps.findIndex(({ id }) => id === end?.failed || id.endsWith(`:${end?.failed}`));
  const stop = gate !== -1 ? gate : failed;
  return steps.map((_, index) => {
    if (index === gate) return { mark: "approval" };
    const state = reported[index];
    if (state !== undefined) return { mark: MARKS[state.status], ms: state.ms };
    if (index === failed) return { mark: "failed" };
    const isPast = end?.status === "ok" || index < stop || index < last;
    return { mark: isPast ? "done" : "waiting" };
  });
}

/** The gate that has the words of the request, or the first one after the steps that were reported. */
function gateOf(steps: readonly WorkflowStep[], prompt: string, after: number): number {
  const named = steps.findIndex(({ isGate, does }) => isGate && does.includes(prompt));
  return named !== -1 ? named : steps.findIndex(({ isGate }, index) => isGate && index > after);
}
