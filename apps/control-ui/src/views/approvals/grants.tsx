import type { ApprovalGrantSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { FaultNote } from "../../components/fault-note.js";
import { StateMark } from "../../components/state-mark.js";
import { grants, loadGrants } from "../../state/approvals.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, callAtLeave } from "../../state/link.js";
import { refusalOf } from "../../state/refusal.js";
import { undoable } from "../../state/toast.js";
import { shortTime } from "../../text/format.js";
import { text } from "./messages.js";
import { scopeWords } from "./words.js";

/** Grants, each with its last use and what revokes it. */
export function Grants() {
  const fault = useSignal<Fault | undefined>(undefined);
  const reason = refusalOf("operator.approvals");
  const revoke = (grant: ApprovalGrantSummary) => {
    const { id, label, uses } = grant;
    const before = grants.value;
    grants.value = before.filter((each) => each.id !== id);
    undoable(
      {
        text: text.revoked(label, uses),
        undo: () => {
          grants.value = before;
        },
      },
      (isLeaving) => {
        if (isLeaving) {
          callAtLeave("approvals.revoke", { id });
          return;
        }
        call("approvals.revoke", { id }).then(
          () => loadGrants(),
          (error) => {
            fault.value = faultOf(error);
            grants.value = before;
          },
        );
      },
    );
  };
  if (grants.value.length === 0) {
    return (
      <div class="empty">
        <h2>{text.noGrants}</h2>
        <p>{text.noGrantsHelp}</p>
        {fault.value !== undefined && <FaultNote fault={fault.value} />}
      </div>
    );
  }
  return (
    <div class="page">
      <p class="lead">{text.grantsLead}</p>
      {fault.value !== undefined && <FaultNote fault={fault.value} />}
      <div class="rows grants" role="table" aria-label={text.grants}>
        <div class="row head" role="row">
          <span role="columnheader">
            <span class="vh">{text.state}</span>
          </span>
          <span role="columnheader">{text.allows}</span>
          <span role="columnheader" class="x">
            {text.where}
          </span>
          <span role="columnheader" class="x">
            {text.givenBy}
          </span>
          <span role="columnheader" class="end x">
            {text.used}
          </span>
          <span role="columnheader" class="end x">
            {text.lastUse}
          </span>
          <span role="columnheader" class="end x">
            {text.ends}
          </span>
          <span role="columnheader">
            <span class="vh">{text.action}</span>
          </span>
        </div>
        {grants.value.map((grant) => (
          <div class="row" role="row" key={grant.id}>
            <span role="cell">
              <StateMark state="done" label={text.active} />
            </span>
            <span role="cell" class="two">
              <code>{grant.label}</code> <span class="sub">{grant.tool}</span>
            </span>
            <span role="cell" class="x mid" title={scopeWords(grant.scope, grant)}>
              {scopeWords(grant.scope, grant)}
            </span>
            <span role="cell" class="x sub">
              {grant.createdBy}, {shortTime(grant.createdAt)}
            </span>
            <span role="cell" class="end x">
              {grant.uses}
            </span>
            <span role="cell" class="end sub x">
              {grant.lastUsedAt === undefined ? "–" : shortTime(grant.lastUsedAt)}
            </span>
            <span role="cell" class="end x sub">
              {grant.expiresAt !== undefined
                ? shortTime(grant.expiresAt)
                : grant.scope === "session"
                  ? text.withSession
                  : text.never}
            </span>
            <span role="cell" class="free end">
              <button
                class="btn quiet small danger"
                type="button"
                aria-label={text.revokeNamed(grant.label)}
                aria-disabled={reason !== undefined}
                title={reason}
                onClick={() => {
                  if (reason === undefined) revoke(grant);
                }}
              >
                {text.revoke}
              </button>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
