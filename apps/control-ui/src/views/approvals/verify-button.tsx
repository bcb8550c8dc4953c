import { useSignal } from "@preact/signals";
import { StateMark } from "../../components/state-mark.js";
import { faultOf } from "../../state/fault.js";
import { call, isLive } from "../../state/link.js";
import { toast } from "../../state/toast.js";
import { text } from "./messages.js";

/** Checks the chain of the audit log of approvals, and shows the result. */
export function VerifyButton() {
  const verdict = useSignal<{ isIntact: boolean; words: string } | undefined>(undefined);
  const verify = () => {
    call("approvals.verify", {}).then(
      (found) => {
        verdict.value = found.intact
          ? { isIntact: true, words: text.chainIntact(found.rows) }
          : { isIntact: false, words: text.chainChanged(found.seq, found.problem) };
      },
      (error: unknown) => {
        toast.value = { text: faultOf(error).message };
      },
    );
  };
  return (
    <>
      {verdict.value !== undefined && (
        <span class="line t12 x" role="status">
          <StateMark
            state={verdict.value.isIntact ? "done" : "failed"}
            label={verdict.value.isIntact ? text.intact : text.changed}
          />
          {verdict.value.words}
        </span>
      )}
      <button
        class="btn small"
        type="button"
        aria-disabled={!isLive.value}
        onClick={() => {
          if (isLive.value) verify();
        }}
      >
        {text.verify}
      </button>
    </>
  );
}
