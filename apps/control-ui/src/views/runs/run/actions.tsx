import type { RunTrace } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { FaultNote } from "../../../components/fault-note.js";
import { StateMark } from "../../../components/state-mark.js";
import { viewKeys } from "../../../shell/keyboard.js";
import { refusalOf } from "../../../state/refusal.js";
import { text } from "../messages.js";
import { CompareDialog } from "./compare-dialog.js";
import { ForkDialog } from "./fork-dialog.js";
import { replay, replayRun } from "./replay.js";

/** What a person may do with a recorded run: compare, replay, change and fork it. */
export function RunActions({ trace }: { trace: RunTrace }) {
  const { runId, sessionKey, spans } = trace;
  const [, navigate] = useLocation();
  const dialog = useSignal<"fork" | "compare" | undefined>(undefined);
  const writeReason = refusalOf("operator.write");
  const changeReason = refusalOf("operator.admin");
  const mayWrite = writeReason === undefined;
  const mayChange = changeReason === undefined;
  const isEnded = spans[0]?.durationMs !== undefined;
  const whatIf = `/runs/${encodeURIComponent(runId)}/what-if`;
  const close = () => {
    dialog.value = undefined;
  };
  const open = (which: "fork" | "compare") => {
    dialog.value = which;
  };
  // The palette lists the keys, which is the way to these actions on a narrow screen.
  useLayoutEffect(() => {
    const own = [
      { key: "c", title: text.compare, run: () => open("compare") },
      ...(mayWrite && isEnded
        ? [
            { key: "r", title: text.replay, run: () => void replayRun(runId) },
            { key: "f", title: text.fork, run: () => open("fork") },
          ]
        : []),
      ...(mayChange && isEnded
        ? [{ key: "w", title: text.openWhatIf, run: () => navigate(whatIf) }]
        : []),
    ];
    viewKeys.value = [...viewKeys.peek(), ...own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
  return (
    <div class="end">
      <Link class="btn small quiet" href={`/chat/${encodeURIComponent(sessionKey)}`}>
        {text.openChat}
      </Link>
      <button class="btn small x" type="button" onClick={() => open("compare")}>
        {text.compare}
      </button>
      {isEnded && (
        <>
          <Act
            reason={writeReason}
            name={text.replay}
            shortcut="r"
            onClick={() => void replayRun(runId)}
          />
          <Act
            reason={changeReason}
            name={text.openWhatIf}
            shortcut="w"
            onClick={() => navigate(whatIf)}
          />
          <Act reason={writeReason} name={text.fork} shortcut="f" onClick={() => open("fork")} />
        </>
      )}
      {dialog.value === "fork" && <ForkDialog trace={trace} onClose={close} />}
      {dialog.value === "compare" && (
        <CompareDialog runId={runId} sessionKey={sessionKey} onClose={close} />
      )}
    </div>
  );
}

/** Button that says why it is off. */
function Act({
  reason,
  name,
  shortcut,
  onClick,
}: {
  reason: string | undefined;
  name: string;
  shortcut: string;
  onClick(): void;
}) {
  return (
    <button
      class="btn small x"
      type="button"
      aria-disabled={reason !== undefined}
      title={reason}
      onClick={() => {
        if (reason === undefined) onClick();
      }}
    >
      {name} <kbd>{shortcut}</kbd>
    </button>
  );
}

/** Result of the replay of a run. */
export function ReplayNote({ runId }: { runId: string }) {
  const last = replay.value;
  if (last?.runId !== runId) return null;
  const { report, fault } = last;
  if (fault !== undefined) {
    return (
      <div class="pad">
        <FaultNote fault={fault} />
      </div>
    );
  }
  const isSame = report?.status === "identical";
  const mark = report === undefined ? "running" : isSame ? "done" : "approval";
  return (
    <div class="pad" role="status">
      <p class="note" data-s={mark}>
        <StateMark
          state={mark}
          label={mark === "running" ? text.replaying : (report?.status ?? "")}
        />
        <span>
          {report === undefined
            ? text.replaying
            : isSame
              ? text.identical(report.steps)
              : text.diverged(report.divergence?.step ?? 1)}
        </span>
      </p>
    </div>
  );
}
