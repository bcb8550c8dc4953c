import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { FaultNote } from "../../../components/fault-note.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call } from "../../../state/link.js";
import { openRuns } from "../../../state/runs.js";
import type { Item } from "../log/item.js";
import { storedItems } from "../log/stored-items.js";
import { text } from "../messages.js";
import { Message } from "./message.js";
import { Reply } from "./reply.js";

/** Entries of a subagent that are read. */
const SHOWN = 50;

/** Conversation of a subagent inside the call that started it; it is read when it is opened. */
export function SubagentLog({ sessionKey }: { sessionKey: string }) {
  const isOpen = useSignal(false);
  const items = useSignal<readonly Item[] | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  // While it works, each of its steps reads it again.
  const run = openRuns.value?.find((each) => each.sessionKey === sessionKey);
  useEffect(() => {
    if (!isOpen.value) return;
    call("chat.history", { sessionKey, limit: SHOWN }).then(
      (history) => {
        items.value = storedItems(history);
        fault.value = undefined;
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, [isOpen.value, run?.state, run?.step?.at]);
  const agent = /^agent:([^:]+):/.exec(sessionKey)?.[1] ?? "";
  return (
    <details
      class="subagent"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary class="t12">{text.subagentLog}</summary>
      {fault.value !== undefined && <FaultNote fault={fault.value} />}
      <div class="nested run-log-nested">
        {items.value?.map((item) =>
          item.kind === "reply" ? (
            <Reply key={item.key} item={item} agent={agent} isStreaming={false} />
          ) : item.kind === "message" ? (
            <Message key={item.key} item={item} />
          ) : null,
        )}
      </div>
      <Link class="link t12" href={`/chat/${encodeURIComponent(sessionKey)}`}>
        {text.subagent}
      </Link>
    </details>
  );
}
