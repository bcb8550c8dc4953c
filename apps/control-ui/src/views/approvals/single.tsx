import { Link } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { useApproval } from "./asked.js";
import { ApprovalDetail } from "./detail.js";
import { text } from "./messages.js";

/** A page with one request and its answers, for a link that is opened on a phone. */
export function SingleApproval({ asked }: { asked: string }) {
  const shown = useApproval(asked);
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
