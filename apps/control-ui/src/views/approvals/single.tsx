import type { ApprovalSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { history, inbox } from "../../state/approvals.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, isLive } from "../../state/link.js";
import { ApprovalDetail } from "./detail.js";
import { text } from "./messages.js";

/** A page with one request and its answers, for a link that is opened on a phone. */
export function SingleApproval({ asked }: { asked: string }) {
  const read = useSignal<ApprovalSummary | Fault | undefined>(undefined);
  const followed = [...inbox.value, ...history.value].find(
    ({ id, code }) => id === asked || code === asked.toUpperCase(),
  );
  // The lists have the pending requests and the newest settled ones; the gateway knows older ones too.
  const isMissing = isLive.value && followed === undefined;
  useEffect(() => {
    if (!isMissing) return;
    call("approvals.get", { id: asked }).then(
      (approval) => {
        read.value = approval;
      },
      (error: unknown) => {
        read.value = faultOf(error);
      },
    );
  }, [asked, isMissing, read]);
  const shown = followed ?? read.value;
  return (
    <>
      <header class="bar">
        <h1>{text.request}</h1>
        <div class="end">
          <Link class="btn quiet" href="/approvals">
            {text.allRequests}
          </Link>
        </div>
      </header>
      {shown === undefined ? (
        <div class="empty" aria-busy="true">
          <p>{text.reading}</p>
        </div>
      ) : "digest" in shown ? (
        <ApprovalDetail approval={shown} isAlone />
      ) : (
        <div class="pad">
          <FaultNote fault={shown} />
        </div>
      )}
    </>
  );
}
