import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { FaultNote } from "../../../components/fault-note.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call } from "../../../state/link.js";
import type { Item } from "../../chat/log/item.js";
import { storedItems } from "../../chat/log/stored-items.js";
import { Message } from "../../chat/parts/message.js";
import { Reply } from "../../chat/parts/reply.js";
import { text } from "../messages.js";
import "../../../styles/views/chat.css";

const PAGE = 200;
/** Pages of the history in which the run is searched. */
const MOST_PAGES = 25;

/** Messages and replies of one run, as its conversation has them. */
export function ConversationOfRun({
  runId,
  sessionKey,
  agent,
}: {
  runId: string;
  sessionKey: string;
  agent: string;
}) {
  const items = useSignal<readonly Item[] | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  useEffect(() => {
    itemsOf(runId, sessionKey).then(
      (found) => {
        items.value = found;
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, [runId, sessionKey]);
  if (fault.value !== undefined) return <FaultNote fault={fault.value} />;
  if (items.value === undefined) return <div class="page" aria-busy="true" />;
  if (items.value.length === 0) return <p class="pad dim">{text.noConversation}</p>;
  return (
    <div class="page chat">
      <div class="run-log">
        {items.value.map((item) =>
          item.kind === "reply" ? (
            <Reply key={item.key} item={item} agent={agent} isStreaming={false} />
          ) : item.kind === "message" ? (
            <Message key={item.key} item={item} />
          ) : null,
        )}
      </div>
    </div>
  );
}

async function itemsOf(runId: string, sessionKey: string): Promise<readonly Item[]> {
  let before: number | undefined;
  let found: readonly Item[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const position = before === undefined ? {} : { before };
    const history = await call("chat.history", { sessionKey, limit: PAGE, ...position });
    const own = history.messages.filter((message) => message.runId === runId);
    const runs = history.runs.filter((run) => run.runId === runId);
    const items = storedItems({ ...history, messages: own, runs });
    if (found.length > 0 && items.length === 0) break;
    found = [...items, ...found];
    before = history.messages[0]?.seq;
    if (!history.hasMore || before === undefined) break;
  }
  return found;
}
