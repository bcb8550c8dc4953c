import type { ApprovalSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { viewKeys } from "../../shell/keyboard.js";
import { waiting } from "../../state/approvals.js";
import { refusalOf } from "../../state/refusal.js";
import { filled } from "../../text/catalogue.js";
import { exactTime } from "../../text/format.js";
import { AlwaysDialog } from "./always-dialog.js";
import { CriticalDialog } from "./critical-dialog.js";
import { type Answer, decide, decidedHere, sentAnswers } from "./decide.js";
import { DenyDialog } from "./deny-dialog.js";
import { FormDialog } from "./form-dialog.js";
import { formFields } from "./form-fields.js";
import { TimeLeft } from "./inbox.js";
import { text } from "./messages.js";
import { deciderOf, outcomeOf } from "./words.js";

/** Answers to a request, or what became of it. */
export function DecisionBar({
  approval,
  isAlone = false,
}: {
  approval: ApprovalSummary;
  /** True on the page of the request alone, which leads to no other. */
  isAlone?: boolean;
}) {
  return approval.state === "pending" ? (
    <Answers key={approval.id} approval={approval} />
  ) : (
    <Settled approval={approval} isAlone={isAlone} />
  );
}

function Answers({ approval }: { approval: ApprovalSummary }) {
  const dialog = useSignal<"always" | "critical" | "deny" | "form" | undefined>(undefined);
  const { id, allowedDecisions, severity, input } = approval;
  const isCritical = severity === "critical";
  const sent = sentAnswers.value.get(id);
  const reason = refusalOf("operator.approvals");
  const isSending = sent !== undefined && sent.fault === undefined;
  const isOff = reason !== undefined || isSending;
  const answer = (given: Answer) => {
    dialog.value = undefined;
    if (!isOff) void decide(approval, given);
  };
  const hasFields = input !== undefined && formFields(input.schema).length > 0;
  const allow = () => {
    if (!hasFields) answer({ decision: "allow-once" });
    else if (!isOff) dialog.value = "form";
  };
  const allowText = hasFields ? text.fillIn : input === undefined ? text.allowOnce : text.confirm;
  const may = (decision: Answer["decision"]) => allowedDecisions.includes(decision);
  const hasAlways = may("allow-always") && !isCritical;
  // A key never answers the request that was on the screen before.
  useLayoutEffect(() => {
    const own = [
      ...(may("allow-once") && !isCritical ? [{ key: "y", title: allowText, run: allow }] : []),
      ...(hasAlways
        ? [
            {
              ...{ key: "a", title: text.alwaysKey },
              run: () => {
                if (!isOff) dialog.value = "always";
              },
            },
          ]
        : []),
      ...(may("deny")
        ? [
            { key: "n", title: text.deny, run: () => answer({ decision: "deny" }) },
            {
              ...{ key: "N", title: text.denyWithNote },
              run: () => {
                if (!isOff) dialog.value = "deny";
              },
            },
          ]
        : []),
    ];
    viewKeys.value = [...viewKeys.peek(), ...own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
  const deny = may("deny") && (
    <span class="line">
      <button
        class="btn danger"
        type="button"
        aria-disabled={isOff}
        onClick={() => answer({ decision: "deny" })}
      >
        {text.deny} <kbd>n</kbd>
      </button>
      <button
        class="btn quiet"
        type="button"
        aria-disabled={isOff}
        onClick={() => {
          if (!isOff) dialog.value = "deny";
        }}
      >
        {text.withNote}
      </button>
    </span>
  );
  return (
    <footer class="decide">
      {isCritical && deny}
      {may("allow-once") && isCritical && (
        <button
          class="btn"
          type="button"
          aria-disabled={isOff}
          onClick={() => {
            if (!isOff) dialog.value = "critical";
          }}
        >
          {text.allowOnceDialog}
        </button>
      )}
      {may("allow-once") && !isCritical && (
        <button class="btn primary" type="button" aria-disabled={isOff} onClick={allow}>
          {allowText} <kbd>y</kbd>
        </button>
      )}
      {hasAlways && (
        <button
          class="btn"
          type="button"
          aria-disabled={isOff}
          onClick={() => {
            if (!isOff) dialog.value = "always";
          }}
        >
          {text.always} <kbd>a</kbd>
        </button>
      )}
      {!isCritical && deny}
      {isCritical && <span class="dim t12">{text.asksTwice}</span>}
      <span class="end num strong" role="status">
        {isSending ? text.sending : reason}
      </span>
      <span class={isSending || reason !== undefined ? "num strong" : "end num strong"}>
        <span>{filled(text.left, { time: <TimeLeft approval={approval} /> })}</span>
      </span>
      {sent?.fault !== undefined && <FaultNote fault={sent.fault} />}
      {dialog.value === "always" && (
        <AlwaysDialog
          approval={approval}
          onAnswer={answer}
          onClose={() => {
            dialog.value = undefined;
          }}
        />
      )}
      {dialog.value === "form" && input !== undefined && (
        <FormDialog
          {...{ approval, input }}
          onAnswer={answer}
          onClose={() => {
            dialog.value = undefined;
          }}
        />
      )}
      {dialog.value === "deny" && (
        <DenyDialog
          approval={approval}
          onAnswer={answer}
          onClose={() => {
            dialog.value = undefined;
          }}
        />
      )}
      {dialog.value === "critical" && (
        <CriticalDialog
          approval={approval}
          onAnswer={answer}
          onClose={() => {
            dialog.value = undefined;
          }}
        />
      )}
    </footer>
  );
}

function Settled({ approval, isAlone }: { approval: ApprovalSummary; isAlone: boolean }) {
  const { id, state, decidedAt } = approval;
  const next = waiting.value.find((each) => each.id !== id);
  const decider = deciderOf(approval);
  const refused = sentAnswers.value.get(id)?.fault !== undefined;
  return (
    <footer class="decide">
      <span class="line" role="status">
        <StateMark state={markOf(state)} label={outcomeOf(approval)} />
        <span>
          <b>{text.settled(outcomeOf(approval), decider)}</b>
          {decidedAt !== undefined && `, ${exactTime(decidedAt)}`}.
          {refused && !decidedHere.has(id) && ` ${text.notUsed}`}
        </span>
      </span>
      {!isAlone && next !== undefined && (
        <span class="end line">
          <Link class="btn primary" href={`/approvals/${encodeURIComponent(next.id)}`}>
            {text.next} <kbd>j</kbd>
          </Link>
        </span>
      )}
    </footer>
  );
}
