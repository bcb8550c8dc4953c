import { useLocation } from "wouter-preact";
import { faultOf } from "../../state/fault.js";
import { refusalOf } from "../../state/refusal.js";
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
  const reason = refusalOf("operator.write");
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
