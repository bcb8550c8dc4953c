import { StateMark } from "../components/state-mark.js";
import { now } from "../state/clock.js";
import { hostStatus, usageToday } from "../state/host.js";
import { gateway, lastEventAt, link, reconnectNow } from "../state/link.js";
import { cost, counted, dayAndTime, exactTime } from "../text/format.js";

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
        <StateMark state="done" label="Connection" />
        <b>Live</b>
      </span>
    );
  }
  return (
    <>
      <span class="line" role="status">
        <StateMark state={state.status === "refused" ? "failed" : "running"} label="Connection" />
        <b>{LINK_WORDS[state.status]}</b>
        {state.status === "reconnecting" && ` attempt ${state.failures + 1}`}
        {state.status === "refused" && ` ${state.error.message}`}
      </span>
      {lastEventAt.value !== undefined && (
        <span>
          last event <b>{exactTime(lastEventAt.value)}</b>
        </span>
      )}
      {state.status === "reconnecting" && <span class="clip">{state.error.message}</span>}
      <span class="end">
        {state.status !== "connecting" && (
          <button type="button" onClick={reconnectNow}>
            <b>Try now</b>
          </button>
        )}
      </span>
    </>
  );
}

const LINK_WORDS = {
  connecting: "Connecting",
  reconnecting: "Reconnecting",
  refused: "Refused",
  closed: "Paused",
} as const;

function HostFacts() {
  const status = hostStatus.value;
  const usage = usageToday.value;
  const [day, time] = dayAndTime(now.value);
  return (
    <>
      {status !== undefined && (
        <>
          <span>
            generation <b>{status.generation}</b>
          </span>
          <span class="clip">
            model <b>{status.model}</b>
          </span>
        </>
      )}
      <span class="end">
        {usage !== undefined && (
          <span>
            today{" "}
            <b>
              {usage.estimatedCalls > 0 && "~"}
              {cost(usage.costUsd)}
            </b>
          </span>
        )}
        {status !== undefined && (
          <span>
            <b>{status.turns.unfinished}</b>{" "}
            {counted(status.turns.unfinished, "turn").replace(/^\S+ /, "")},{" "}
            <b>{status.pendingApprovals}</b> waiting
          </span>
        )}
        <span>
          {day}, <b>{time}</b> local
        </span>
        <span>{gateway.value?.snapshot.server.version}</span>
      </span>
    </>
  );
}
