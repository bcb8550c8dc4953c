import { useLocation } from "wouter-preact";
import { faultOf } from "../../state/fault.js";
import { isLive, missingScope } from "../../state/link.js";
import { sessionsFault } from "../../state/sessions.js";
import { useNewSession } from "../chat/new-session.js";
import { text } from "./messages.js";

/** Button that begins a session and opens its conversation. */
export function NewSession() {
  const [, navigate] = useLocation();
  const { begin, dialog } = useNewSession(
    (sessionKey) => navigate(`/chat/${encodeURIComponent(sessionKey)}`),
    (error) => {
      sessionsFault.value = faultOf(error);
    },
  );
  const missing = missingScope("operator.write");
  const reason =
    missing !== undefined
      ? text.missingScope(missing)
      : isLive.value
        ? undefined
        : text.noConnection;
  return (
    <>
      <button
        class="btn"
        type="button"
        aria-disabled={reason !== undefined}
        title={reason}
        onClick={() => {
          if (reason === undefined) begin();
        }}
      >
        {text.newSession}
      </button>
      {dialog}
    </>
  );
}
