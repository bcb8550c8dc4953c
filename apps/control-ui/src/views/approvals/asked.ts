import type { ApprovalSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { approvalsState, inbox, settled } from "../../state/approvals.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, isLive } from "../../state/link.js";

/**
 * Returns the request of a URL. The lists have the pending requests and the newest settled ones; the gateway is asked for
 * another one.
 * @param asked - ID or code; undefined for none
 * @returns undefined while it is read
 */
export function useApproval(asked: string | undefined): ApprovalSummary | Fault | undefined {
  const read = useSignal<{ asked: string; found: ApprovalSummary | Fault } | undefined>(undefined);
  const followed = [...inbox.value, ...settled.value].find(
    ({ id, code }) => id === asked || code === asked?.toUpperCase(),
  );
  const isMissing =
    asked !== undefined &&
    followed === undefined &&
    isLive.value &&
    approvalsState.value === "ready" &&
    read.value?.asked !== asked;
  useEffect(() => {
    if (!isMissing) return;
    call("approvals.get", { id: asked }).then(
      (found) => {
        read.value = { asked, found };
      },
      (error: unknown) => {
        read.value = { asked, found: faultOf(error) };
      },
    );
  }, [asked, isMissing, read]);
  return followed ?? (read.value?.asked === asked ? read.value?.found : undefined);
}
