import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Dialog } from "../../../components/dialog.js";
import { FaultNote } from "../../../components/fault-note.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call } from "../../../state/link.js";
import type { ListedRun } from "../../../state/runs.js";
import { shortTime } from "../../../text/format.js";
import { RUN_STATES } from "../list/runs.js";
import { titleOf } from "../list/view.js";
import { text } from "../messages.js";

/** Dialog that chooses the run beside which another one is shown. */
export function CompareDialog({
  runId,
  sessionKey,
  onClose,
}: {
  runId: string;
  sessionKey: string;
  onClose(): void;
}) {
  const [, navigate] = useLocation();
  const found = useSignal<readonly ListedRun[]>([]);
  const chosen = useSignal("");
  const fault = useSignal<Fault | undefined>(undefined);
  useEffect(() => {
    const states = [...RUN_STATES];
    call("runs.list", { sessionKey, states, limit: 50 }).then(
      ({ runs }) => {
        found.value = runs.filter((each) => each.runId !== runId);
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, [sessionKey]);
  const submit = () => {
    const other = chosen.value.trim();
    if (other === "") return;
    onClose();
    navigate(`/runs/${encodeURIComponent(runId)}/compare/${encodeURIComponent(other)}`);
  };
  return (
    <Dialog titleId="compare-title" class="sm" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <header>
          <h2 id="compare-title">{text.compareTitle}</h2>
          <p>{text.compareHint}</p>
        </header>
        <div class="in">
          {fault.value !== undefined && <FaultNote fault={fault.value} />}
          <label class="field">
            <span class="label">{text.otherRun}</span>
            <input
              class="input mono"
              list="runs-to-compare"
              value={chosen.value}
              onInput={(event) => {
                chosen.value = event.currentTarget.value;
              }}
            />
          </label>
          <datalist id="runs-to-compare">
            {found.value.map((each) => (
              <option key={each.runId} value={each.runId}>
                {`${shortTime(each.queuedAt)} ${titleOf(each)}`}
              </option>
            ))}
          </datalist>
        </div>
        <footer>
          <button class="btn" type="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button class="btn primary" type="submit" aria-disabled={chosen.value.trim() === ""}>
            {text.compareAction}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
