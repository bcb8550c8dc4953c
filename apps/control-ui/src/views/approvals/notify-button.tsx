import { isLive } from "../../state/link.js";
import { pushFault, pushState, togglePush } from "../../state/push.js";
import { text } from "./messages.js";

/** Switches the notifications of this browser on and off. */
export function NotifyButton() {
  const state = pushState.value;
  if (state === "absent") return null;
  if (state === "blocked") {
    return (
      <span class="dim t12 x" title={text.notifyBlockedHelp}>
        {text.notifyBlocked}
      </span>
    );
  }
  const isOff = state === "changing" || !isLive.value;
  return (
    <>
      {pushFault.value !== undefined && (
        <span class="bad t12" role="alert">
          {pushFault.value.message}
        </span>
      )}
      <button
        class="btn small"
        type="button"
        aria-disabled={isOff}
        title={text.notifyHelp}
        onClick={() => {
          if (!isOff) void togglePush();
        }}
      >
        {state === "on" ? text.notifyOff : text.notify}
      </button>
    </>
  );
}
