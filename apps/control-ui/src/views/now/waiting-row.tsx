import type { ApprovalSummary } from "@openclaw/protocol";
import { Link } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { refusalOf } from "../../state/refusal.js";
import { filled } from "../../text/catalogue.js";
import { type Answer, decide, sentAnswers } from "../approvals/decide.js";
import { TimeLeft } from "../approvals/inbox.js";
import { text as answers } from "../approvals/messages.js";
import { askedFor, headlineOf, outcomeOf, settlementOf } from "../approvals/words.js";
import { text } from "./messages.js";

/** Request of the first view, which is answered in its place unless it has to be read first. */
export function WaitingRow({ approval }: { approval: ApprovalSummary }) {
  const { id, severity, state, commands = [], description } = approval;
  const path = `/approvals/${encodeURIComponent(id)}`;
  const isPending = state === "pending";
  const fault = sentAnswers.value.get(id)?.fault;
  const label = isPending ? text.severityWaits(text[severity]) : outcomeOf(approval);
  const subject =
    commands.length > 0 ? <code>{commands.join("; ")}</code> : changed(approval) || description;
  return (
    <div class="row act tall" role="row">
      <span role="cell">
        <StateMark state={markOf(state)} label={label} />
      </span>
      <span role="cell" class="two">
        <span class="titled">
          <Link class="cover clip" href={path} title={headlineOf(approval)}>
            <strong>{headlineOf(approval)}</strong>
          </Link>
          {severity === "critical" && (
            <span class="tag" data-s="failed">
              {text.critical}
            </span>
          )}
        </span>
        {fault === undefined ? (
          <span class="sub clip">{isPending ? subject : settlementOf(approval)}</span>
        ) : (
          <FaultNote fault={fault} />
        )}
      </span>
      <span role="cell" class="two x">
        <span class="mid clip">{askedFor(approval)}</span>
        <span class="sub clip">{askedBy(approval)}</span>
      </span>
      <span role="cell" class="end num x">
        {isPending && filled(text.left, { time: <TimeLeft approval={approval} /> })}
      </span>
      <span role="cell" class="free acts">
        {isPending && needsReading(approval) ? (
          <Link class="btn small" href={path}>
            {text.review}
          </Link>
        ) : (
          isPending && <Answers approval={approval} />
        )}
        {isPending && (
          <span class="only-narrow left">
            {filled(text.left, { time: <TimeLeft approval={approval} /> })}
          </span>
        )}
      </span>
    </div>
  );
}

/** A critical request is read before it is allowed, and a person types what a request for input asks for. */
function needsReading({ severity, input, allowedDecisions }: ApprovalSummary): boolean {
  return severity === "critical" || input !== undefined || !allowedDecisions.includes("allow-once");
}

function askedBy({ rule, tool, pluginId }: ApprovalSummary) {
  if (rule !== undefined) return filled(text.ruleAsks, { rule: <code>{rule.id}</code> });
  return <code>{tool ?? pluginId}</code>;
}

/** Number of lines that a request adds and removes. */
function changed({ change }: ApprovalSummary): string {
  const lines = change?.split("\n") ?? [];
  const count = (sign: RegExp) => lines.filter((line) => sign.test(line)).length;
  const [added, removed] = [count(/^\+(?!\+\+ )/), count(/^-(?!-- )/)];
  return added + removed === 0 ? "" : text.changedLines(added, removed);
}

function Answers({ approval }: { approval: ApprovalSummary }) {
  const sent = sentAnswers.value.get(approval.id);
  const reason = refusalOf("operator.approvals");
  const isOff = reason !== undefined || (sent !== undefined && sent.fault === undefined);
  const button = (decision: "deny" | "allow-once", name: string, look: string) => {
    const answer: Answer = { decision };
    return (
      <button
        class={look}
        type="button"
        aria-disabled={isOff}
        title={reason}
        aria-label={`${name}: ${headlineOf(approval)}`}
        onClick={() => {
          if (!isOff) void decide(approval, answer);
        }}
      >
        {name}
      </button>
    );
  };
  return (
    <>
      {approval.allowedDecisions.includes("deny") && button("deny", answers.deny, "btn small")}
      {button("allow-once", answers.allowOnce, "btn small primary")}
    </>
  );
}
