import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { Console } from "./shell/console.js";
import { SignIn } from "./shell/sign-in.js";
import { followHistory, forgetHistory } from "./state/approval-history.js";
import { followApprovals, forgetApprovals } from "./state/approvals.js";
import { startClock } from "./state/clock.js";
import { resumeSession, signedOutBecause, signOut, token } from "./state/credential.js";
import { followFailedJobs } from "./state/failed-jobs.js";
import { followHost, forgetHost } from "./state/host.js";
import { closeLink, openLink } from "./state/link.js";
import { followPush, leavePush } from "./state/push.js";
import { followRoutines } from "./state/routines.js";
import { followRuns, forgetRuns } from "./state/runs.js";
import { followSessions, forgetSessions } from "./state/sessions.js";
import { finishPending } from "./state/toast.js";
import "./styles/main.css";

function App() {
  return token.value === undefined ? <SignIn /> : <Console />;
}

followApprovals();
followFailedJobs();
followHistory();
followHost();
followPush();
followRoutines();
followRuns();
followSessions();
startClock();
addEventListener("pagehide", () => finishPending(true));
effect(() => {
  const current = token.value;
  untracked(() => {
    if (current !== undefined) {
      openLink(current);
      return;
    }
    finishPending(true);
    // A session that ended by itself leaves the notifications on.
    if (signedOutBecause.value === undefined) leavePush();
    closeLink();
    forgetApprovals();
    forgetHistory();
    forgetHost();
    forgetRuns();
    forgetSessions();
  });
});

const root = document.getElementById("console");
if (root === null) throw new Error("the page has no element for the console");
try {
  await resumeSession();
} catch (error) {
  signOut(error instanceof Error ? error.message : String(error));
}
render(<App />, root);
