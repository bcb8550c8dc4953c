import type { ApprovalSummary } from "@openclaw/protocol";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { markOf, StateMark } from "../../components/state-mark.js";
import { inbox, settled } from "../../state/approvals.js";
import { now } from "../../state/clock.js";
import { timeLeft } from "../../text/format.js";
import { text } from "./messages.js";
import { headlineOf, originOf, outcomeOf, settlementOf } from "./words.js";

/** Number of settled requests below the pending ones. */
const SHOWN = 20;
/** Time in milliseconds below which the remaining time is marked. */
const SOON_MS = 2 * 60_000;

/** Pending requests, and those decided today. */
export function Inbox({ shown }: { shown: string | undefined }) {
  const midnight = new Date(now.value).setHours(0, 0, 0, 0);
  const ids = new Set(inbox.value.map(({ id }) => id));
  const today = settled.value
    .filter(({ id, decidedAt, expiresAt }) => !ids.has(id) && (decidedAt ?? expiresAt) >= midnight)
    .slice(0, SHOWN);
  return (
    <nav class="rows ap-list" aria-label={text.title}>
      {inbox.value.map((approval) => (
        <Row key={approval.id} approval={approval} isShown={approval.id === shown} />
      ))}
      {today.length > 0 && <h2 class="row head">{text.decidedToday}</h2>}
      {today.map((approval) => (
        <Row key={approval.id} approval={approval} isShown={approval.id === shown} />
      ))}
    </nav>
  );
}

function Row({ approval, isShown }: { approval: ApprovalSummary; isShown: boolean }) {
  const { id, state, severity } = approval;
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isShown) element.current?.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  const isPending = state === "pending";
  return (
    <Link
      ref={element}
      class="row"
      href={`/approvals/${encodeURIComponent(id)}`}
      aria-current={isShown ? "true" : undefined}
      data-focus={isShown ? "" : undefined}
    >
      <span>
        <StateMark state={markOf(state)} label={outcomeOf(approval)} />
      </span>
      <span class="two">
        <span class={isPending ? "strong clip" : "mid clip"}>{headlineOf(approval)}</span>
        <span class="sub t12 clip">{isPending ? originOf(approval) : settlementOf(approval)}</span>
      </span>
      <span class="end two t12">
        {isPending && <TimeLeft approval={approval} />}
        {isPending && severity === "critical" && (
          <>
            <br />
            <span class="bad">{text.critical}</span>
          </>
        )}
      </span>
    </Link>
  );
}

/** Time until a request expires; text that does not pulse. */
export function TimeLeft({ approval: { expiresAt } }: { approval: ApprovalSummary }) {
  const left = Math.max(0, expiresAt - now.value);
  return <span class={left < SOON_MS ? "warn" : "sub"}>{timeLeft(left)}</span>;
}
