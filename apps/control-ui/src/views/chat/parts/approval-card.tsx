import { ApprovalHold } from "@openclaw/client/conversation";
import type { ApprovalSummary } from "@openclaw/protocol";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { DiffView } from "../../../components/diff-view.js";
import { markOf, StateMark } from "../../../components/state-mark.js";
import { call, mayCall } from "../../../state/link.js";
import { CommandList } from "../../approvals/command-list.js";
import { DecisionBar } from "../../approvals/decision-bar.js";
import { headlineOf } from "../../approvals/words.js";
import { text } from "../messages.js";

/** Digits of the digest that are shown; the whole one is in its title. */
const DIGEST_SHOWN = 8;

/** Request of the conversation: what runs, and the answers to it. */
export function ApprovalCard({
  approval,
  isOfSubagent,
}: {
  approval: ApprovalSummary;
  isOfSubagent: boolean;
}) {
  const { id, state, tool, kind, digest, change, description } = approval;
  const isPending = state === "pending";
  useEffect(() => (isPending ? keepWaiting(id) : undefined), [id, isPending]);
  const mark = markOf(state);
  return (
    <article
      class="tool"
      data-s={isPending ? "approval" : mark}
      aria-label={text.waits(tool ?? kind)}
    >
      <div class="top">
        <StateMark state={mark} label={state} />
        <span class="name">{tool ?? kind}</span>
        <span class="arg">{headlineOf(approval)}</span>
        <span class="end">
          {isOfSubagent && <span class="tag">{text.ofSubagent}</span>}
          <span title={digest}>
            {text.digest} <code>{digest.slice(0, DIGEST_SHOWN)}</code>
          </span>
          <Link class="link" href={`/approvals/${encodeURIComponent(id)}`}>
            {text.openInInbox}
          </Link>
        </span>
      </div>
      <div class="in">
        {description !== "" && <p>{description}</p>}
        <CommandList approval={approval} />
        {change !== undefined && <DiffView change={change} />}
      </div>
      <DecisionBar approval={approval} isAlone />
    </article>
  );
}

/** Keeps a request from expiring while a person is at the page. */
function keepWaiting(id: string): (() => void) | undefined {
  if (!mayCall("approvals.hold")) return undefined;
  const hold = new ApprovalHold({ call });
  hold.add(id);
  const input = () => hold.input();
  const events = ["pointermove", "keydown", "wheel", "touchstart"] as const;
  for (const name of events) addEventListener(name, input, { passive: true });
  return () => {
    hold.end();
    for (const name of events) removeEventListener(name, input);
  };
}
