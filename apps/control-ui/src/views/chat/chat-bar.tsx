import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { CrumbBar } from "../../components/crumb-bar.js";
import { viewKeys } from "../../shell/keyboard.js";
import { isLive, missingScope } from "../../state/link.js";
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
  const redo = useSignal<number>(0);
  const isChoosing = useSignal(false);
  const move = async (method: "sessions.undo" | "sessions.redo") => {
    const isUndo = method === "sessions.undo";
    const moved = await conversation?.move(method);
    if (moved === undefined) {
      toast.value = { text: isUndo ? text.nothingToUndo : text.nothingToRedo };
      if (!isUndo) redo.value = 0;
      return;
    }
    redo.value = moved.redo;
    for (const line of moved.effects) conversation?.log.note(line, "info");
    toast.value = { text: isUndo ? text.undone : text.redone };
  };
  const isWriter = missingScope("operator.write") === undefined && isLive.value;
  const mayMove = isWriter && conversation?.isBusy.value === false;
  // The palette lists the keys, which is the way to these actions on a narrow screen.
  useLayoutEffect(() => {
    if (conversation === undefined) return undefined;
    const choose = () => {
      isChoosing.value = true;
    };
    const own = [
      { key: "d", title: text.whatChanged, run: onReview },
      { key: "e", title: text.exportAs, run: () => void save(conversation, title, agent) },
      ...(isWriter ? [{ key: "m", title: text.chooseModel, run: choose }] : []),
      ...(mayMove
        ? [
            { key: "u", title: text.undo, run: () => void move("sessions.undo") },
            { key: "U", title: text.redo, run: () => void move("sessions.redo") },
          ]
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
            <Act isOff={!mayMove} onClick={() => void move("sessions.undo")}>
              {text.undo}
            </Act>
            <Act
              isOff={!mayMove || redo.value === 0}
              title={redo.value === 0 ? text.nothingToRedo : undefined}
              onClick={() => void move("sessions.redo")}
            >
              {text.redo}
            </Act>
            <Act isOff={false} onClick={onFind}>
              {text.find}
            </Act>
            <Act isOff={false} onClick={onReview}>
              {text.changes}
            </Act>
            <Act isOff={false} onClick={() => void save(conversation, title, agent)}>
              {text.exportAs}
            </Act>
            <button
              class="btn small x"
              type="button"
              aria-disabled={!isWriter}
              onClick={() => {
                if (isWriter) isChoosing.value = true;
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

function Act({
  isOff,
  title,
  onClick,
  children,
}: {
  isOff: boolean;
  title?: string | undefined;
  onClick(): void;
  children: ComponentChildren;
}) {
  return (
    <button
      class="btn small quiet x"
      type="button"
      aria-disabled={isOff}
      title={title}
      onClick={() => {
        if (!isOff) onClick();
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
