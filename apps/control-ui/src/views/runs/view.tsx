import { useLocation } from "wouter-preact";
import { gateway, mayCall } from "../../state/link.js";
import { RunList } from "./list/view.js";
import { text } from "./messages.js";
import { RunPage } from "./run/view.js";
import "../../styles/views/runs.css";

/** Runs, or one of them. */
export function RunsView() {
  const [path] = useLocation();
  const asked = /^\/runs\/([^/]+)/.exec(path)?.[1];
  if (gateway.value !== undefined && !mayCall("run.trace")) {
    return (
      <div class="empty">
        <h1>{text.noRight}</h1>
        <p>{text.noRightHelp}</p>
      </div>
    );
  }
  if (asked === undefined) return <RunList />;
  const runId = decodeURIComponent(asked);
  return <RunPage key={runId} runId={runId} />;
}
