import { changeOfArguments } from "@openclaw/client/conversation";
import { DiffView } from "../../../components/diff-view.js";
import { type MarkState, StateMark } from "../../../components/state-mark.js";
import { inbox } from "../../../state/approvals.js";
import { duration } from "../../../text/format.js";
import { callKey, type ToolPart, type ToolState } from "../log/item.js";
import { text } from "../messages.js";
import { ApprovalCard } from "./approval-card.js";
import { SubagentLog } from "./subagent-log.js";
import { commandOf, subagentOf, subjectOf } from "./tool-words.js";

/** Characters of an output that a card shows, from its end. */
const SHOWN = 20_000;

const MARKS: Readonly<Record<ToolState["status"], MarkState>> = {
  running: "running",
  ok: "done",
  failed: "failed",
};

/** Call of a tool: a command with its output, a change as a difference, and others with their parameters. */
export function ToolCard({ part, runId }: { part: ToolPart; runId: string | undefined }) {
  const key = callKey(runId, part.id);
  const approval = inbox.value.find((each) => callKey(each.runId, each.toolCallId) === key);
  if (approval !== undefined) return <ApprovalCard approval={approval} isOfSubagent={false} />;
  return <Call part={part} />;
}

function Call({ part }: { part: ToolPart }) {
  const { name, params } = part;
  const state = part.state.value;
  const { status, output, durationMs, rule } = state;
  const command = commandOf(params);
  const change = changeOfArguments(params);
  const mark = rule === undefined ? MARKS[status] : "blocked";
  const isOpen = status === "running" && (output !== "" || change !== undefined);
  const session = subagentOf(output);
  return (
    <details class="tool" data-s={mark} open={isOpen || change !== undefined}>
      <summary>
        <StateMark state={mark} label={status === "ok" ? text.done : status} />
        <span class="name">{name}</span>
        <span class="arg">{subjectOf(params)}</span>
        <span class="end">
          {durationMs !== undefined && <span class="num">{duration(durationMs)}</span>}
        </span>
      </summary>
      <div class="in">
        {change !== undefined && <DiffView change={withHead(change.diff)} />}
        {command !== undefined && <pre class="code wrap">{`$ ${command}`}</pre>}
        {command === undefined && <Parameters params={change?.others ?? params} />}
        {rule !== undefined && <p class="t12">{text.deniedBy(rule)}</p>}
        {output !== "" && <Output output={output} />}
        {session !== undefined && <SubagentLog sessionKey={session} />}
      </div>
    </details>
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
