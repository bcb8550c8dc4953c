import { Link } from "wouter-preact";
import { markOf, StateMark } from "../../components/state-mark.js";
import { now } from "../../state/clock.js";
import { models } from "../../state/host.js";
import type { ListedSession } from "../../state/sessions.js";
import { ago, cost, firstLine, tokens } from "../../text/format.js";
import { stateWord } from "./filters.js";
import { text } from "./messages.js";

/** Columns of the sessions. */
export const COLUMNS = [
  { name: text.selection, isHidden: true },
  { name: text.state, isHidden: true },
  { name: text.session },
  { name: text.agentChannel, class: "x" },
  { name: text.model, class: "x" },
  { name: text.pluginValues, class: "x" },
  { name: text.messages, class: "end x" },
  { name: text.tokens, class: "end x" },
  { name: text.cost, class: "end x" },
  { name: text.lastUsed, class: "end" },
];

/** Cells of a session. */
export function SessionCells({
  session,
  isSelected,
  onSelect,
  onCursor,
}: {
  session: ListedSession;
  isSelected: boolean;
  onSelect(): void;
  onCursor(): void;
}) {
  const { sessionKey, agentId, channel, model, state, pinned, archived, updatedAt } = session;
  const title = sessionTitle(session);
  const used = model ?? modelOfAgent(agentId);
  const word = state === undefined ? text.noTurn : stateWord(state);
  return (
    <>
      <span role="cell" class="free">
        <label class="hit">
          <input
            class="check"
            type="checkbox"
            aria-label={text.selectNamed(title)}
            checked={isSelected}
            onChange={onSelect}
            onFocus={onCursor}
          />
        </label>
      </span>
      <span role="cell">
        <StateMark state={markOf(state ?? "queued")} label={word} />
      </span>
      <span role="cell" class="two" title={title}>
        <span class="titled">
          <Link class="cover clip" href={`/chat/${encodeURIComponent(sessionKey)}`}>
            <strong>{title}</strong>
          </Link>
          {pinned === true && <span class="tag">{text.pinned}</span>}
          {archived === true && <span class="tag">{text.archived}</span>}
        </span>
        <span class="sub mono t11 clip">{sessionKey}</span>
      </span>
      <span role="cell" class="x mid">
        {[agentId, channel].filter((each) => each !== undefined).join(" · ")}
      </span>
      <span role="cell" class="x sub" title={used}>
        {used?.slice(used.indexOf("/") + 1)}
      </span>
      <span role="cell" class="x">
        {session.pluginExtensions.map(({ pluginId, namespace, value }) => (
          <span
            class="tag"
            key={`${pluginId} ${namespace}`}
            title={`${pluginId}: ${namespace} ${JSON.stringify(value)}`}
          >
            {namespace} {typeof value === "object" ? "…" : String(value)}
          </span>
        ))}
      </span>
      <span role="cell" class="end x">
        {session.messageCount.toLocaleString()}
      </span>
      <span role="cell" class="end x" title={session.tokens.toLocaleString()}>
        {tokens(session.tokens)}
      </span>
      <span role="cell" class="end x" title={`$${session.costUsd}`}>
        {cost(session.costUsd)}
      </span>
      <span role="cell" class="end sub" title={new Date(updatedAt).toISOString()}>
        {ago(Math.max(0, now.value - updatedAt))}
      </span>
    </>
  );
}

/** Returns the name of a session for people: its label, else the beginning of its last message, else its key. */
export function sessionTitle({ label, lastMessage, sessionKey }: ListedSession): string {
  return label ?? (firstLine(lastMessage ?? "") || sessionKey);
}

/** Model of the sessions that choose none. */
function modelOfAgent(agentId: string): string | undefined {
  return models.value?.agents.find((agent) => agent.agentId === agentId)?.model;
}
