import { useLocation } from "wouter-preact";
import { gateway, mayCall } from "../../state/link.js";
import { ComparePage } from "./compare/view.js";
import { RunList } from "./list/view.js";
import { text } from "./messages.js";
import { RunPage } from "./run/view.js";
import { WhatIfPage } from "./what-if/view.js";
import "../../styles/views/runs.css";

/** Runs, one of them, one with changes, or two side by side. */
export function RunsView() {
  const [path] = useLocation();
  const [, asked, page, other] =
    /^\/runs\/([^/]+)(?:\/(what-if|compare)(?:\/([^/]+))?)?$/.exec(path) ?? [];
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
  if (page === "what-if") return <WhatIfPage key={runId} runId={runId} />;
  if (page === "compare" && other !== undefined) {
    const otherId = decodeURIComponent(other);
    return <ComparePage key={`${runId} ${otherId}`} first={runId} second={otherId} />;
  }
  return <RunPage key={runId} runId={runId} />;
}
