import type { ApprovalSummary } from "@openclaw/protocol";
import { Link, useSearchParams } from "wouter-preact";
import { Choice } from "../../components/choice.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { VirtualRows } from "../../components/virtual-rows.js";
import { history } from "../../state/approvals.js";
import { duration, shortTime } from "../../text/format.js";
import { askedFor, deciderOf, headlineOf, outcomeOf } from "./words.js";

const OUTCOMES = ["allowed-once", "allowed-always", "denied", "timed-out", "cancelled"] as const;

/** Settled requests, with filters that the URL keeps. */
export function History() {
  const [search, setSearch] = useSearchParams();
  const filter = {
    outcome: search.get("outcome") ?? "",
    tool: search.get("tool") ?? "",
    by: search.get("by") ?? "",
    text: search.get("q") ?? "",
  };
  const all = history.value;
  const found = all.filter((approval) => matches(approval, filter));
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const tools = [...new Set(all.flatMap(({ tool }) => tool ?? []))].sort();
  const deciders = [...new Set(all.map(deciderOf).filter((each) => each !== ""))].sort();
  return (
    <>
      <div class="filters">
        <Choice
          label="Outcome"
          value={filter.outcome}
          options={OUTCOMES}
          onChoose={(value) => set("outcome", value)}
        />
        <Choice
          label="Tool"
          value={filter.tool}
          options={tools}
          onChoose={(value) => set("tool", value)}
        />
        <Choice
          label="Decided by"
          value={filter.by}
          options={deciders}
          onChoose={(value) => set("by", value)}
        />
        <div class="search">
          <input
            class="input"
            placeholder="Find a command, path or code"
            aria-label="Find"
            value={filter.text}
            onInput={(event) => set("q", event.currentTarget.value)}
          />
        </div>
        <span class="end x">
          {found.length} of {all.length}
        </span>
      </div>
      {all.length === 0 ? (
        <div class="empty">
          <h2>Nothing was decided yet</h2>
          <p>Decisions, timeouts and cancellations are listed here.</p>
        </div>
      ) : (
        <VirtualRows
          class="ahist"
          label="Settled requests"
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
  { name: "State", isHidden: true },
  { name: "Request" },
  { name: "Tool", class: "x" },
  { name: "Asked for", class: "x" },
  { name: "Decision", class: "x" },
  { name: "By", class: "x" },
  { name: "Waited", class: "end x" },
  { name: "When", class: "end" },
] as const;

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

function matches(
  approval: ApprovalSummary,
  { outcome, tool, by, text }: { outcome: string; tool: string; by: string; text: string },
): boolean {
  if (outcome !== "" && approval.state !== outcome) return false;
  if (tool !== "" && approval.tool !== tool) return false;
  if (by !== "" && deciderOf(approval) !== by) return false;
  const { title, text: params, code, commands = [] } = approval;
  const all = [title, params, code, ...commands].join("\n").toLowerCase();
  return all.includes(text.toLowerCase());
}
