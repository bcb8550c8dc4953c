import type { ApprovalSummary } from "@openclaw/protocol";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { FilterBar } from "../../components/filter-bar.js";
import { useFilters } from "../../components/filters.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { VirtualRows } from "../../components/virtual-rows.js";
import { useFocusKey } from "../../shell/keyboard.js";
import {
  type HistoryFilter,
  history,
  historyFault,
  loadHistory,
  loadMoreHistory,
  newSettled,
} from "../../state/approval-history.js";
import { gateway } from "../../state/link.js";
import { duration, shortTime } from "../../text/format.js";
import { text } from "./messages.js";
import { approverWord, askedFor, deciderOf, headlineOf, outcomeOf, outcomeWord } from "./words.js";

const OUTCOMES = ["allowed-once", "allowed-always", "denied", "timed-out", "cancelled"] as const;

/** Time in milliseconds after the last letter until the history is read. */
const TYPING_MS = 200;

/** Settled requests, with filters that the URL keeps. */
export function History() {
  const filters = useFilters("approvals");
  const { query } = filters;
  const find = useRef<HTMLInputElement>(null);
  useFocusKey(find);
  const isOpen = gateway.value !== undefined;
  useEffect(() => {
    if (!isOpen) return undefined;
    const filter = filterOf(new URLSearchParams(query));
    const timer = setTimeout(() => void loadHistory(filter), TYPING_MS);
    return () => clearTimeout(timer);
  }, [query, isOpen]);
  const { approvals, total, tools = [], deciders = [] } = history.value ?? {};
  const isFiltered = query !== "";
  return (
    <>
      <FilterBar
        filters={filters}
        choices={[
          { label: text.outcome, name: "outcome", options: OUTCOMES, wordOf: outcomeWord },
          { label: text.tool, name: "tool", options: tools },
          { label: text.decidedBy, name: "by", options: deciders, wordOf: approverWord },
        ]}
        hint={text.findHint}
        input={find}
      >
        {newSettled.value > 0 && (
          <button
            class="btn small"
            type="button"
            onClick={() => void loadHistory(filterOf(new URLSearchParams(query)))}
          >
            {text.newSettled(newSettled.value)}
          </button>
        )}
        {total !== undefined && <span class="x">{text.found(total)}</span>}
      </FilterBar>
      {historyFault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={historyFault.value} />
        </div>
      )}
      {approvals === undefined ? (
        <div class="page" aria-busy={historyFault.value === undefined} />
      ) : approvals.length === 0 ? (
        <div class="empty">
          <h2>{isFiltered ? text.nothingFits : text.nothingDecided}</h2>
          <p>{isFiltered ? text.changeFilter : text.nothingDecidedHelp}</p>
        </div>
      ) : (
        <VirtualRows
          class="ahist"
          label={text.settledRequests}
          items={approvals}
          total={total}
          keyOf={({ id }) => id}
          columns={COLUMNS}
          onEnd={() => void loadMoreHistory()}
          row={(approval) => <Cells approval={approval} />}
        />
      )}
    </>
  );
}

const COLUMNS = [
  { name: text.state, isHidden: true },
  { name: text.request },
  { name: text.tool, class: "x" },
  { name: text.askedFor, class: "x" },
  { name: text.decision, class: "x" },
  { name: text.byHead, class: "x" },
  { name: text.waited, class: "end x" },
  { name: text.when, class: "end" },
];

function Cells({ approval }: { approval: ApprovalSummary }) {
  const { id, state, tool, createdAt, decidedAt, expiresAt } = approval;
  const end = decidedAt ?? expiresAt;
  return (
    <>
      <span role="cell">
        <StateMark state={markOf(state)} label={outcomeOf(approval)} />
      </span>
      <span role="cell">
        <Link class="cover" href={`/approvals/${encodeURIComponent(id)}`}>
          <strong>{headlineOf(approval)}</strong>
        </Link>
      </span>
      <span role="cell" class="x mono t12">
        {tool}
      </span>
      <span role="cell" class="x mid">
        {askedFor(approval)}
      </span>
      <span role="cell" class="x">
        {outcomeOf(approval)}
      </span>
      <span role="cell" class="x mid">
        {deciderOf(approval)}
      </span>
      <span role="cell" class="end x sub">
        {duration(Math.max(0, end - createdAt))}
      </span>
      <span role="cell" class="end sub" title={new Date(end).toISOString()}>
        {shortTime(end)}
      </span>
    </>
  );
}

function filterOf(query: URLSearchParams): HistoryFilter {
  const [words, tool, decidedBy] = ["q", "tool", "by"].map((name) => query.get(name) ?? "");
  const state = OUTCOMES.find((each) => each === query.get("outcome"));
  return {
    ...(words ? { text: words } : {}),
    ...(tool ? { tool } : {}),
    ...(decidedBy ? { decidedBy } : {}),
    ...(state === undefined ? {} : { state }),
  };
}
