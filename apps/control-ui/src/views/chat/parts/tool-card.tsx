import { changeOfArguments } from "@openclaw/client/conversation";
import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import { DiffView } from "../../../components/diff-view.js";
import { JsonTree } from "../../../components/json-tree.js";
import { type MarkState, StateMark } from "../../../components/state-mark.js";
import { inbox } from "../../../state/approvals.js";
import { openRuns } from "../../../state/runs.js";
import { duration } from "../../../text/format.js";
import { current } from "../current.js";
import { callKey, type ToolPart, type ToolState } from "../log/item.js";
import { text } from "../messages.js";
import { toolPlugins } from "../tool-plugins.js";
import { endOf } from "../workflow/graph.js";
import { WORKFLOW_TOOL, WorkflowGraph } from "../workflow/workflow-graph.js";
import { ApprovalCard } from "./approval-card.js";
import { StoredImage } from "./stored-image.js";
import { SubagentLog } from "./subagent-log.js";
import { commandOf, subagentOf, subjectOf } from "./tool-words.js";

/** Characters of an output that a card shows, from its end. */
const SHOWN = 20_000;

/** Mark of a state, and its word. */
const STATES: Readonly<Record<ToolState["status"], readonly [mark: MarkState, word: string]>> = {
  waiting: ["waiting", text.waitsForStart],
  running: ["running", text.running],
  ok: ["done", text.done],
  failed: ["failed", text.failedCall],
  refused: ["blocked", text.blocked],
  "timed-out": ["interrupted", text.timedOut],
  interrupted: ["interrupted", text.interrupted],
  "outcome-unknown": ["interrupted", text.outcomeUnknown],
};
const OPEN: ReadonlySet<ToolState["status"]> = new Set(["waiting", "running"]);

/** Call of a tool: a command with its output, a change as a difference, and others with their parameters. */
export function ToolCard({ part, runId }: { part: ToolPart; runId: string | undefined }) {
  const key = callKey(runId, part.id);
  const approval = inbox.value.find((each) => callKey(each.runId, each.toolCallId) === key);
  if (approval !== undefined) return <ApprovalCard approval={approval} isOfSubagent={false} />;
  return <Call part={part} runId={runId} />;
}

function Call({ part, runId }: { part: ToolPart; runId: string | undefined }) {
  const { id, name, params } = part;
  const state = part.state.value;
  const { status, output, durationMs, rule, images = [], details, guidance = [] } = state;
  const command = commandOf(params);
  const change = changeOfArguments(params);
  // A person whose token has no requests sees that the turn waits for one.
  const isHeld =
    OPEN.has(status) &&
    openRuns.value?.find((run) => run.runId === runId)?.state === "awaiting_approval";
  const [mark, word] = isHeld ? HELD : rule === undefined ? STATES[status] : STATES.refused;
  const isOpen = status === "running" && (output !== "" || change !== undefined);
  const isShown = useSignal(false);
  const session = subagentOf(output);
  const plugin = toolPlugins.value.get(name);
  const hasDetails = typeof details === "object" && details !== null;
  const isWorkflow = name === WORKFLOW_TOOL;
  const isAtGate = isWorkflow && endOf(details)?.code !== undefined;
  return (
    <details
      class="tool"
      data-s={mark}
      open={isOpen || isAtGate || change !== undefined || images.length > 0}
      onToggle={(event) => {
        isShown.value = event.currentTarget.open;
      }}
    >
      <summary>
        <StateMark state={mark} label={word} />
        <span class="name">{name}</span>
        <span class="arg">{subjectOf(params)}</span>
        <span class="end">
          {plugin !== undefined && (
            <span class="x" title={text.ofPlugin(plugin)}>
              {plugin}
            </span>
          )}
          {!QUIET.has(mark) && <span>{word}</span>}
          {durationMs !== undefined && <span class="num">{duration(durationMs)}</span>}
        </span>
      </summary>
      <div class="in">
        {change !== undefined && <DiffView change={withHead(change.diff)} />}
        {command !== undefined && <pre class="code wrap">{`$ ${command}`}</pre>}
        {command === undefined && <Parameters params={change?.others ?? params} />}
        {rule !== undefined && <p class="t12">{text.deniedBy(rule)}</p>}
        {isWorkflow && isShown.value && (
          <WorkflowGraph
            {...{ params, output, details }}
            sessionKey={current.value?.sessionKey ?? "main"}
          />
        )}
        {output !== "" && !(isWorkflow && (status === "running" || hasDetails)) && (
          <Output output={output} />
        )}
        {isShown.value &&
          images.map((image) => (
            <StoredImage key={image.image} id={image} label={text.image(image.image)} />
          ))}
        {guidance.map(({ pluginId, text: words }, index) => (
          <p key={index} class="note t12 guidance">
            <b>{text.guidanceOf(pluginId)}</b> {words}
          </p>
        ))}
        {hasDetails && isShown.value && (
          <details class="t12">
            <summary>{text.details}</summary>
            <JsonTree value={details} label={text.details} />
          </details>
        )}
        {session !== undefined && <SubagentLog sessionKey={session} />}
        {runId !== undefined && <CallLinks runId={runId} id={id} isDenied={mark === "blocked"} />}
      </div>
    </details>
  );
}

const HELD = ["approval", text.waitsForApproval] as const;

/** States whose mark says enough. */
const QUIET: ReadonlySet<MarkState> = new Set(["running", "done"]);

/** The step of the call in its run: the rule that decided about it, and its hooks. */
function CallLinks({ runId, id, isDenied }: { runId: string; id: string; isDenied: boolean }) {
  const path = `/runs/${encodeURIComponent(runId)}`;
  const call = `call=${encodeURIComponent(id)}`;
  return (
    <p class="t12 line">
      {isDenied && (
        <Link class="link" href={`${path}?${call}`}>
          {text.whyDenied}
        </Link>
      )}
      <Link class="link" href={`${path}?detail=everything&${call}`}>
        {text.hookTrace}
      </Link>
    </p>
  );
}

/** The content of a whole file is described without an earlier state. */
function withHead(diff: string): string {
  return diff.startsWith("+++ ") ? `--- /dev/null\n${diff}` : diff;
}

function Parameters({ params }: { params: unknown }) {
  if (typeof params !== "object" || params === null || Object.keys(params).length === 0) {
    return null;
  }
  return (
    <dl class="kv t12">
      {Object.entries(params).map(([name, value]) => (
        <div class="pair-row" key={name}>
          <dt>{name}</dt>
          <dd>
            <pre class="value">
              {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Output({ output }: { output: string }) {
  const hidden = Math.max(0, output.length - SHOWN);
  return (
    <>
      {hidden > 0 && <p class="dim t12">{text.shortened(hidden)}</p>}
      <pre class="code wrap out" tabIndex={0} role="region" aria-label={text.output}>
        {hidden > 0 ? output.slice(-SHOWN) : output}
      </pre>
    </>
  );
}
