import { useSignal } from "@preact/signals";
import { useLocation } from "wouter-preact";
import { faultOf } from "../../state/fault.js";
import { models } from "../../state/host.js";
import { call, isLive, missingScope } from "../../state/link.js";
import { sessionsFault } from "../../state/sessions.js";
import { NewSessionDialog } from "../chat/choice-dialogs.js";
import { text } from "./messages.js";

/** Button that begins a session and opens its conversation; with several agents, a dialog asks for one. */
export function NewSession() {
  const [, navigate] = useLocation();
  const isChoosing = useSignal(false);
  const missing = missingScope("operator.write");
  const reason =
    missing !== undefined
      ? text.missingScope(missing)
      : isLive.value
        ? undefined
        : text.noConnection;
  const begin = (agentId?: string) => {
    isChoosing.value = false;
    call("sessions.create", agentId === undefined ? {} : { agentId }).then(
      ({ sessionKey }) => navigate(`/chat/${encodeURIComponent(sessionKey)}`),
      (error: unknown) => {
        sessionsFault.value = faultOf(error);
      },
    );
  };
  return (
    <>
      <button
        class="btn"
        type="button"
        aria-disabled={reason !== undefined}
        title={reason}
        onClick={() => {
          if (reason !== undefined) return;
          if ((models.value?.agents.length ?? 1) > 1) isChoosing.value = true;
          else begin();
        }}
      >
        {text.newSession}
      </button>
      {isChoosing.value && (
        <NewSessionDialog
          onStart={begin}
          onClose={() => {
            isChoosing.value = false;
          }}
        />
      )}
    </>
  );
}
