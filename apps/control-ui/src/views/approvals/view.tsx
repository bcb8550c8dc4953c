import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { PageBar } from "../../components/page-bar.js";
import { viewKeys } from "../../shell/keyboard.js";
import { approvalsState, grants, inbox, waiting } from "../../state/approvals.js";
import { gateway, mayCall } from "../../state/link.js";
import { useApproval } from "./asked.js";
import { ApprovalDetail } from "./detail.js";
import { Grants } from "./grants.js";
import { History } from "./history.js";
import { Inbox } from "./inbox.js";
import { text } from "./messages.js";
import { NotifyButton } from "./notify-button.js";
import { VerifyButton } from "./verify-button.js";

/** Approvals: the inbox with one request, the history, the grants. */
export function ApprovalsView() {
  const [path] = useLocation();
  const rest = path.slice("/approvals".length + 1);
  const tabs = [
    { name: text.pending, path: "/approvals", count: waiting.value.length },
    { name: text.history, path: "/approvals/history" },
    { name: text.grants, path: "/approvals/grants", count: grants.value.length },
  ].map((tab) => ({
    ...tab,
    isCurrent:
      tab.path === path ||
      (tab.path === "/approvals" && rest !== "" && rest !== "history" && rest !== "grants"),
  }));
  return (
    <>
      <PageBar title={text.title} tabs={tabs}>
        {waiting.value.length > 0 && rest !== "history" && rest !== "grants" && (
          <span class="dim t12 x line">
            <kbd>j</kbd> <kbd>k</kbd> {text.move}
          </span>
        )}
        {rest === "history" ? <VerifyButton /> : <NotifyButton />}
      </PageBar>
      {rest === "history" ? (
        <History />
      ) : rest === "grants" ? (
        <Grants />
      ) : (
        <Pending asked={rest === "" ? undefined : decodeURIComponent(rest)} />
      )}
    </>
  );
}

function Pending({ asked }: { asked: string | undefined }) {
  const [, navigate] = useLocation();
  const found = useApproval(asked);
  const shown = asked === undefined ? inbox.value[0] : found;
  const shownId = shown !== undefined && "digest" in shown ? shown.id : undefined;
  // The keys are those of the request on the screen, from the frame in which it appears.
  useLayoutEffect(() => {
    const move = (step: number) => {
      const list = inbox.value;
      if (list.length === 0) return;
      const index = list.findIndex(({ id }) => id === shownId);
      const next = list[(index + step + list.length) % list.length] ?? list[0];
      if (next !== undefined) navigate(`/approvals/${encodeURIComponent(next.id)}`);
    };
    const own = [
      { key: "j", title: text.next, run: () => move(1) },
      { key: "k", title: text.previous, run: () => move(-1) },
    ];
    viewKeys.value = [...own, ...viewKeys.peek()];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  }, [shownId, navigate]);
  const state = approvalsState.value;
  if (gateway.value !== undefined && !mayCall("approvals.list")) {
    return <Empty title={text.mayNotSee} help={text.needsScope} />;
  }
  if (state !== "ready" && state !== "loading") {
    return (
      <div class="pad">
        <FaultNote fault={state} />
      </div>
    );
  }
  if (state === "loading") return <Loading />;
  if (asked === undefined && inbox.value.length === 0) {
    return (
      <>
        <Empty title={text.nothingWaits} help={text.howToTry} command="openclaw chat" />
        <Inbox shown={undefined} />
      </>
    );
  }
  return (
    <div
      class={
        asked === undefined ? "split list-first narrow-list" : "split list-first narrow-detail"
      }
    >
      <div class="inbox">
        <Inbox shown={shownId} />
      </div>
      {shown === undefined ? (
        <Loading />
      ) : "digest" in shown ? (
        <ApprovalDetail approval={shown} />
      ) : shown.code === "APPROVAL_NOT_FOUND" ? (
        <Empty title={text.unknown} help={text.unknownId(asked ?? "")} />
      ) : (
        <div class="pad">
          <FaultNote fault={shown} />
        </div>
      )}
    </div>
  );
}

function Empty({ title, help, command }: { title: string; help: string; command?: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{help}</p>
      {command !== undefined && <pre class="code">{command}</pre>}
    </div>
  );
}

function Loading() {
  return (
    <div class="rows ap-list" aria-busy="true">
      {[0, 1, 2].map((each) => (
        <div class="row" aria-hidden="true" key={each}>
          <span />
          <span class="two">
            <i class="sk l" />
            <br />
            <i class="sk s" />
          </span>
          <span />
        </div>
      ))}
    </div>
  );
}
