import { useSignal } from "@preact/signals";
import { FaultNote } from "../../../components/fault-note.js";
import { inbox } from "../../../state/approvals.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call } from "../../../state/link.js";
import { toast } from "../../../state/toast.js";
import { text } from "../messages.js";
import { ApprovalCard } from "../parts/approval-card.js";
import type { Inverse } from "./changed-files.js";

/** Time in milliseconds after which a request for approval has expired anyway. */
const LONGEST_MS = 31 * 60_000;

/** Button that runs the inverse of a change as a call of the person: with policy, hooks and approval. */
export function RevertButton({
  inverse: { tool, params },
  sessionKey,
  reason,
  onDone,
}: {
  inverse: Inverse;
  sessionKey: string;
  /** Why it is not possible now. */
  reason: string | undefined;
  /** Called when the change was reverted. */
  onDone(): void;
}) {
  const callId = useSignal<string | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  const revert = async () => {
    if (callId.value !== undefined || reason !== undefined) return;
    const toolCallId = `revert-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
    callId.value = toolCallId;
    fault.value = undefined;
    try {
      const result = await call(
        "tools.invoke",
        { sessionKey, tool, params, toolCallId },
        { timeoutMs: LONGEST_MS },
      );
      if (result.isError) {
        const message = result.content.map((part) => String(part.text ?? "")).join("\n");
        fault.value = { code: tool, message };
      } else {
        toast.value = { text: text.reverted };
        onDone();
      }
    } catch (error) {
      fault.value = faultOf(error);
    } finally {
      callId.value = undefined;
    }
  };
  const own = callId.value;
  const approval = inbox.value.find((each) => own !== undefined && each.toolCallId === own);
  return (
    <>
      <button
        class="btn small danger"
        type="button"
        aria-disabled={own !== undefined || reason !== undefined}
        title={reason}
        onClick={() => void revert()}
      >
        {own === undefined ? text.revert : text.reverting}
      </button>
      {fault.value !== undefined && <FaultNote fault={fault.value} />}
      {approval !== undefined && <ApprovalCard approval={approval} isOfSubagent={false} />}
    </>
  );
}
