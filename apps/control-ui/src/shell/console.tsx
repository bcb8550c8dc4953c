import { useEffect } from "preact/hooks";
import { Redirect, Route, Switch, useLocation } from "wouter-preact";
import { ErrorBoundary } from "../components/error-boundary.js";
import { announcement } from "../state/announcement.js";
import { waiting } from "../state/approvals.js";
import { SingleApproval } from "../views/approvals/single.js";
import { listenToKeys } from "./keyboard.js";
import { text } from "./messages.js";
import { MoreSheet } from "./more-sheet.js";
import { overlay } from "./overlays.js";
import { Palette } from "./palette.js";
import { isAt } from "./place.js";
import { PLACES } from "./places.js";
import { Rail, TabBar } from "./rail.js";
import { Shortcuts } from "./shortcuts.js";
import { StatusLine } from "./status-line.js";
import { ToastNotice } from "./toast-notice.js";

/** The console of somebody who is signed in: navigation, the view of the URL, the status line. */
export function Console() {
  const [path, navigate] = useLocation();
  useEffect(() => listenToKeys(navigate), [navigate]);
  const place = PLACES.find((each) => isAt(each, path))?.name ?? text.approval;
  const count = waiting.value.length;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${place} · ${text.product}`;
  }, [count, place]);
  const { text: spoken, isUrgent } = announcement.value;
  const [, single] = /^\/approve\/([^/]+)$/.exec(path) ?? [];
  return (
    <>
      <a class="skip" href="#main">
        {text.skip}
      </a>
      {single === undefined ? (
        <div class="app">
          <Rail />
          <main id="main" tabIndex={-1}>
            <ErrorBoundary path={path}>
              <Switch>
                {PLACES.map(({ route, view }) => (
                  <Route key={route} path={route} component={view} />
                ))}
                <Route>
                  <Redirect to="/" replace />
                </Route>
              </Switch>
            </ErrorBoundary>
          </main>
          <StatusLine />
          <TabBar />
        </div>
      ) : (
        <div class="app alone">
          <main id="main" tabIndex={-1}>
            <ErrorBoundary path={path}>
              <SingleApproval asked={decodeURIComponent(single)} />
            </ErrorBoundary>
          </main>
          <StatusLine />
        </div>
      )}
      {overlay.value === "palette" && <Palette />}
      {overlay.value === "more" && <MoreSheet />}
      {overlay.value === "shortcuts" && <Shortcuts />}
      <ToastNotice />
      <p
        class="vh"
        role={isUrgent ? "alert" : "status"}
        aria-live={isUrgent ? "assertive" : "polite"}
      >
        {spoken}
      </p>
    </>
  );
}
