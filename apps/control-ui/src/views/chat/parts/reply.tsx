import { Link } from "wouter-preact";
import { StateMark } from "../../../components/state-mark.js";
import { shortTime } from "../../../text/format.js";
import type { Part, ReplyItem, TextPart, ToolPart } from "../log/item.js";
import { text } from "../messages.js";
import { type ForkAction, ForkButton } from "./fork-button.js";
import { Markdown } from "./markdown.js";
import { ToolCard } from "./tool-card.js";
import { isReading, subjectOf } from "./tool-words.js";

/** Reply of the agent: paragraphs, tool calls, and why it ended early. */
export function Reply({
  item,
  agent,
  isStreaming,
  onFork,
}: {
  item: ReplyItem;
  agent: string;
  isStreaming: boolean;
  onFork?: ForkAction | undefined;
}) {
  const problem = item.problem.value;
  const through = item.through.value;
  return (
    <article class="msg" aria-busy={isStreaming}>
      <header>
        <b>{agent}</b>
        {item.at !== undefined && (
          <time title={new Date(item.at).toISOString()}>{shortTime(item.at)}</time>
        )}
        {through !== undefined && !isStreaming && onFork !== undefined && (
          <ForkButton onClick={() => onFork(through)} />
        )}
        {item.runId !== undefined && (
          <Link class="link dim end x" href={`/runs/${encodeURIComponent(item.runId)}`}>
            {text.run}
          </Link>
        )}
      </header>
      {groupsOf(item.parts.value).map((group) =>
        group.kind === "readings" ? (
          <Readings key={group.id} parts={group.parts} runId={item.runId} />
        ) : group.kind === "tool" ? (
          <ToolCard key={group.id} part={group} runId={item.runId} />
        ) : (
          <Words key={group.id} part={group} />
        ),
      )}
      {isStreaming && item.parts.value.length === 0 && (
        <p class="dim line">
          <StateMark state="running" label={text.running} /> {text.working}
        </p>
      )}
      {problem !== undefined && (
        <p
          class={problem.isError ? "note t12" : "dim t12"}
          data-s={problem.isError ? "failed" : ""}
        >
          {problem.text}
        </p>
      )}
    </article>
  );
}

function Words({ part }: { part: TextPart }) {
  if (part.kind === "text") return <Markdown text={part.markdown.value} />;
  return (
    <details class="thinking">
      <summary class="dim t12">{text.thinking}</summary>
      <Markdown text={part.markdown.value} />
    </details>
  );
}

/** Consecutive calls of tools that only read, in one line until they are opened. */
function Readings({ parts, runId }: { parts: readonly ToolPart[]; runId: string | undefined }) {
  const isRunning = parts.some(({ state }) => state.value.status === "running");
  const isFailed = parts.some(({ state }) => state.value.status === "failed");
  const mark = isRunning ? "running" : isFailed ? "failed" : "done";
  const names = parts.map(({ params }) => lastPart(subjectOf(params))).filter(Boolean);
  return (
    <details class="tool" data-s={mark}>
      <summary>
        <StateMark state={mark} label={isRunning ? text.running : text.done} />
        <span class="name">{text.read}</span>
        <span class="arg">{text.files(parts.length, names.join(", "))}</span>
      </summary>
      <div class="in nested">
        {parts.map((part) => (
          <ToolCard key={part.id} part={part} runId={runId} />
        ))}
      </div>
    </details>
  );
}

/** Consecutive calls that only read. */
interface ReadingGroup {
  readonly kind: "readings";
  readonly id: string;
  readonly parts: ToolPart[];
}

function groupsOf(parts: readonly Part[]): readonly (Part | ReadingGroup)[] {
  const groups: (Part | ReadingGroup)[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.kind !== "tool" || !isReading(part.name)) groups.push(part);
    else if (last?.kind === "readings") last.parts.push(part);
    else groups.push({ kind: "readings", id: `g${part.id}`, parts: [part] });
  }
  return groups.map((group) =>
    group.kind === "readings" && group.parts.length === 1 ? (group.parts[0] ?? group) : group,
  );
}

function lastPart(path: string): string {
  return path.split("/").at(-1) ?? path;
}
