import type { ApprovalSummary } from "@openclaw/protocol";
import { useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { FilterBar } from "../../components/filter-bar.js";
import { type Filters, useFilters } from "../../components/filters.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { VirtualRows } from "../../components/virtual-rows.js";
import { useFocusKey } from "../../shell/keyboard.js";
import { history } from "../../state/approvals.js";
import { duration, shortTime } from "../../text/format.js";
import { text } from "./messages.js";
import { askedFor, deciderOf, headlineOf, outcomeOf, outcomeWord } from "./words.js";

const OUTCOMES = ["allowed-once", "allowed-always", "denied", "timed-out", "cancelled"] as const;

/** Settled requests, with filters that the URL keeps. */
export function History() {
  const filters = useFilters("approvals");
  const find = useRef<HTMLInputElement>(null);
  useFocusKey(find);
  const all = history.value;
  const found = all.filter((approval) => matches(approval, filters));
  const tools = [...new Set(all.flatMap(({ tool }) => tool ?? []))].sort();
  const deciders = [...new Set(all.map(deciderOf).filter((each) => each !== ""))].sort();
  return (
    <>
      <FilterBar
        filters={filters}
        choices={[
          { label: text.outcome, name: "outcome", options: OUTCOMES, wordOf: outcomeWord },
          { label: text.tool, name: "tool", options: tools },
          { label: text.decidedBy, name: "by", options: deciders },
        ]}
        hint={text.findHint}
        input={find}
      >
        <span class="x">{text.found(found.length, all.length)}</span>
      </FilterBar>
      {found.length === 0 ? (
        <div class="empty">
          <h2>{all.length === 0 ? text.nothingDecided : text.nothingFits}</h2>
          <p>{all.length === 0 ? text.nothingDecidedHelp : text.changeFilter}</p>
        </div>
      ) : (
        <VirtualRows
          class="ahist"
          label={text.settledRequests}
          items={found}
          keyOf={({ id }) => id}
          columns={COLUMNS}
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

function matches(approval: ApprovalSummary, { chosen }: Filters): boolean {
  const is = (name: string, value: string | undefined) =>
    chosen(name) === "" || chosen(name) === value;
  if (!is("outcome", approval.state) || !is("tool", approval.tool)) return false;
  if (!is("by", deciderOf(approval))) return false;
  const { title, text: params, code, commands = [] } = approval;
  const all = [title, params, code, ...commands].join("\n").toLowerCase();
  return all.includes(chosen("q").toLowerCase());
}
