import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { CrumbBar } from "../../components/crumb-bar.js";
import { viewKeys } from "../../shell/keyboard.js";
import { refusalOf } from "../../state/refusal.js";
import { endSessions } from "../../state/sessions.js";
import { toast } from "../../state/toast.js";
import { ModelDialog } from "./choice-dialogs.js";
import type { Conversation } from "./conversation.js";
import { text } from "./messages.js";
import { transcriptOf } from "./transcript.js";

/** Head of a conversation: its name, undo and redo, the model, search and export. */
export function ChatBar({
  conversation,
  title,
  agent,
  onFind,
  onReview,
}: {
  conversation: Conversation | undefined;
  title: string;
  agent: string;
  onFind(): void;
  /** Shows what the conversation has changed, or hides it. */
  onReview(): void;
}) {
  const isChoosing = useSignal(false);
  const move = async (method: "sessions.undo" | "sessions.redo") => {
    const isUndo = method === "sessions.undo";
    const effects = await conversation?.move(method);
    if (effects === undefined) {
      toast.value = { text: isUndo ? text.nothingToUndo : text.nothingToRedo };
      return;
    }
    for (const line of effects) conversation?.log.note(line, "info");
    toast.value = { text: isUndo ? text.undone : text.redone };
  };
  const reason = refusalOf("operator.write");
  const isBusy = conversation?.isBusy.value === true;
  const undoReason =
    reason ?? movesReason(isBusy, conversation?.moves.undo.value, text.nothingToUndo);
  const redoReason =
    reason ?? movesReason(isBusy, conversation?.moves.redo.value, text.nothingToRedo);
  // The palette lists the keys, which is the way to these actions on a narrow screen.
  useLayoutEffect(() => {
    if (conversation === undefined) return undefined;
    const choose = () => {
      isChoosing.value = true;
    };
    const own = [
      { key: "d", title: text.whatChanged, run: onReview },
      { key: "e", title: text.exportAs, run: () => void save(conversation, title, agent) },
      ...(reason === undefined ? [{ key: "m", title: text.chooseModel, run: choose }] : []),
      ...(undoReason === undefined
        ? [{ key: "u", title: text.undo, run: () => void move("sessions.undo") }]
        : []),
      ...(redoReason === undefined
        ? [{ key: "U", title: text.redo, run: () => void move("sessions.redo") }]
        : []),
    ];
    viewKeys.value = [...viewKeys.peek(), ...own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
  return (
    <CrumbBar view={text.title} path="/chat" back={text.back} title={title}>
      {conversation !== undefined && (
        <>
          <span class="dim mono t12 x">{conversation.sessionKey}</span>
          <div class="end">
            {conversation.activity.contextPercent.value !== undefined && (
              <span class="dim t12 x">
                {text.context(conversation.activity.contextPercent.value)}
              </span>
            )}
            <Act reason={undoReason} onClick={() => void move("sessions.undo")}>
              {text.undo}
            </Act>
            <Act reason={redoReason} onClick={() => void move("sessions.redo")}>
              {text.redo}
            </Act>
            <PastActions conversation={conversation} title={title} reason={reason} />
            <Act onClick={onFind}>{text.find}</Act>
            <Act onClick={onReview}>{text.changes}</Act>
            <Act onClick={() => void save(conversation, title, agent)}>{text.exportAs}</Act>
            <button
              class="btn small x"
              type="button"
              aria-disabled={reason !== undefined}
              title={reason}
              onClick={() => {
                if (reason === undefined) isChoosing.value = true;
              }}
            >
              {[agent, modelName(conversation.activity.model.value)].filter(Boolean).join(" · ")}
            </button>
          </div>
        </>
      )}
      {isChoosing.value && conversation !== undefined && (
        <ModelDialog
          sessionKey={conversation.sessionKey}
          model={conversation.activity.model.value}
          onDone={(model) => {
            isChoosing.value = false;
            if (model !== undefined) conversation.activity.model.value = model;
          }}
        />
      )}
    </CrumbBar>
  );
}

/** Compaction and reset of the conversation. */
function PastActions({
  conversation,
  title,
  reason,
}: {
  conversation: Conversation;
  title: string;
  reason: string | undefined;
}) {
  const { moves, sessionKey, isBusy } = conversation;
  const isEmpty = conversation.isRead.value && conversation.log.items.value.length === 0;
  const compact = async () => {
    const sizes = await moves.compact();
    const isFailed = conversation.fault.value !== undefined;
    if (!isFailed) toast.value = { text: sizes ? text.compacted(...sizes) : text.notCompacted };
    await conversation.refresh();
  };
  const isCompacting = moves.isCompacting.value;
  const compactReason = reason ?? movesReason(isBusy.value, isEmpty ? 0 : 1, text.notCompacted);
  return (
    <>
      <Act
        reason={compactReason ?? (isCompacting ? text.compacting : undefined)}
        onClick={() => void compact()}
      >
        {isCompacting ? text.compacting : text.compact}
      </Act>
      <Act
        reason={reason ?? (isEmpty ? text.empty : undefined)}
        onClick={() => endSessions("sessions.reset", [sessionKey], text.wasReset(title))}
      >
        {text.reset}
      </Act>
    </>
  );
}

/** Why turns cannot be moved; undefined when they can. */
function movesReason(isBusy: boolean, count: number | undefined, none: string): string | undefined {
  if (isBusy) return text.turnRuns;
  return count === 0 || count === undefined ? none : undefined;
}

function Act({
  reason,
  onClick,
  children,
}: {
  /** Why it is off. */
  reason?: string | undefined;
  onClick(): void;
  children: ComponentChildren;
}) {
  return (
    <button
      class="btn small quiet x"
      type="button"
      aria-disabled={reason !== undefined}
      title={reason}
      onClick={() => {
        if (reason === undefined) onClick();
      }}
    >
      {children}
    </button>
  );
}

function modelName(model: string | undefined): string | undefined {
  return model?.slice(model.indexOf("/") + 1);
}

/** Saves the whole conversation as a file. */
async function save(conversation: Conversation, title: string, agent: string): Promise<void> {
  const items = await conversation.readAll();
  const blob = new Blob([transcriptOf(items, agent)], { type: "text/markdown" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${title.replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "conversation"}.md`;
  link.click();
  URL.revokeObjectURL(link.href);
}
