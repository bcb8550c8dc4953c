import type { JobSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useLocation } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { ContinueDialog, PromptDialog } from "./dialogs.js";
import { actOnJob, type JobAction } from "./jobs.js";
import { text } from "./messages.js";

const ORDER: readonly JobAction[] = ["accept", "continue", "prompt", "restart", "cancel"];

/** What the state of a job permits. */
export function JobActions({
  job: { jobId, title, state, actions },
  only = ORDER,
}: {
  job: JobSummary;
  only?: readonly JobAction[];
}) {
  const open = useSignal<"prompt" | "continue" | undefined>(undefined);
  const [, navigate] = useLocation();
  const shown = ORDER.filter((action) => actions.includes(action) && only.includes(action));
  if (shown.length === 0) return null;
  const names: Readonly<Record<JobAction, string>> = {
    accept: text.accept,
    cancel: text.cancel,
    continue: text.continueWork,
    prompt: text.prompt,
    restart: state === "stuck" ? text.restart : text.runAgain,
  };
  const act = async (action: JobAction) => {
    if (action === "prompt" || action === "continue") {
      open.value = action;
      return;
    }
    const now = await actOnJob(action, jobId);
    // A job that is created again is another one.
    if (now !== undefined && now.jobId !== jobId)
      navigate(`/jobs/${encodeURIComponent(now.jobId)}`);
  };
  const close = () => {
    open.value = undefined;
  };
  return (
    <span class="jact">
      {shown.map((action) => (
        <ActButton
          key={action}
          scope="operator.write"
          label={text.named(names[action], title)}
          onAct={() => void act(action)}
        >
          {names[action]}
        </ActButton>
      ))}
      {open.value === "prompt" && <PromptDialog jobId={jobId} onClose={close} />}
      {open.value === "continue" && <ContinueDialog jobId={jobId} onClose={close} />}
    </span>
  );
}
