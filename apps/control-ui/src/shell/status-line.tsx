import { StateMark } from "../components/state-mark.js";
import { now } from "../state/clock.js";
import { hostStatus, usageToday } from "../state/host.js";
import { gateway, lastEventAt, link, reconnectNow } from "../state/link.js";
import { filled } from "../text/catalogue.js";
import { cost, dayAndTime, exactTime } from "../text/format.js";
import { text } from "./messages.js";

/** Line at the end of the page: the connection first, then the gateway. */
export function StatusLine() {
  const { status } = link.value;
  return (
    <footer class="status" data-link={status === "live" ? "live" : "reconnecting"}>
      <LinkState />
      {status === "live" && <HostFacts />}
    </footer>
  );
}

function LinkState() {
  const state = link.value;
  if (state.status === "live") {
    return (
      <span class="line">
        <StateMark state="done" label={text.connection} />
        <b>{text.live}</b>
      </span>
    );
  }
  return (
    <>
      <span class="line" role="status">
        <StateMark
          state={state.status === "refused" ? "failed" : "running"}
          label={text.connection}
        />
        <b>{LINK_WORDS[state.status]}</b>
        {state.status === "reconnecting" && ` ${text.attempt(state.failures + 1)}`}
        {state.status === "refused" && ` ${state.error.message}`}
      </span>
      {lastEventAt.value !== undefined && (
        <span>{filled(text.lastEvent, { time: <b>{exactTime(lastEventAt.value)}</b> })}</span>
      )}
      {state.status === "reconnecting" && <span class="clip">{state.error.message}</span>}
      <span class="end">
        {state.status !== "connecting" && (
          <button type="button" onClick={reconnectNow}>
            <b>{text.tryNow}</b>
          </button>
        )}
      </span>
    </>
  );
}

const LINK_WORDS = {
  connecting: text.connecting,
  reconnecting: text.reconnecting,
  refused: text.refused,
  closed: text.paused,
} as const;

function HostFacts() {
  const status = hostStatus.value;
  const usage = usageToday.value;
  const [day, time] = dayAndTime(now.value);
  return (
    <>
      {status !== undefined && (
        <>
          <span>{filled(text.generation, { number: <b>{status.generation}</b> })}</span>
          <span class="clip">{filled(text.model, { name: <b>{status.model}</b> })}</span>
        </>
      )}
      <span class="end">
        {usage !== undefined && (
          <span>
            {filled(text.today, {
              cost: (
                <b>
                  {usage.estimatedCalls > 0 && "~"}
                  {cost(usage.costUsd)}
                </b>
              ),
            })}
          </span>
        )}
        {status !== undefined && (
          <span>
            {text.turns(status.turns.unfinished)}, {text.waitingCount(status.pendingApprovals)}
          </span>
        )}
        <span>{filled(text.local, { day, time: <b>{time}</b> })}</span>
        <span>{gateway.value?.snapshot.server.version}</span>
      </span>
    </>
  );
}
