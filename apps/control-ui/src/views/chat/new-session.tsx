import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { hasSeveralAgents } from "../../state/host.js";
import { call } from "../../state/link.js";
import { NewSessionDialog } from "./choice-dialogs.js";

/** Start of new sessions, with the dialog that a page shows for it. */
interface SessionStart {
  /** Begins a session; with several agents, the dialog asks for one. */
  begin(): void;
  readonly dialog: ComponentChildren;
}

/**
 * Returns what begins a session on a page.
 * @param onBegun - called with the key of the session
 * @param onError - called when the gateway did not begin it
 */
export function useNewSession(
  onBegun: (sessionKey: string) => void,
  onError: (error: unknown) => void,
): SessionStart {
  const isChoosing = useSignal(false);
  const create = (agentId?: string) => {
    isChoosing.value = false;
    const agent = agentId === undefined ? {} : { agentId };
    call("sessions.create", agent).then(({ sessionKey }) => onBegun(sessionKey), onError);
  };
  return {
    begin: () => {
      hasSeveralAgents().then((areSeveral) => {
        if (areSeveral) isChoosing.value = true;
        else create();
      }, onError);
    },
    dialog: isChoosing.value && (
      <NewSessionDialog
        onStart={create}
        onClose={() => {
          isChoosing.value = false;
        }}
      />
    ),
  };
}
