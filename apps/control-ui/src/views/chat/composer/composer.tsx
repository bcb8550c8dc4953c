import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../../components/icons.js";
import { missingScope } from "../../../state/link.js";
import { refusalOf } from "../../../state/refusal.js";
import type { Conversation, SentFile } from "../conversation.js";
import { text } from "../messages.js";
import { readFiles } from "./attachments.js";
import { type Proposal, proposalsFor } from "./completion.js";
import { draftOf, setDraft } from "./drafts.js";
import { Proposals } from "./proposals.js";
import { RecordButton } from "./record-button.js";

/** Returns the text of a message that has files only. */
function standInFor(files: readonly SentFile[]): string {
  if (files.every(({ isImage }) => isImage)) return "(image)";
  return files.every(({ isAudio }) => isAudio) ? "(voice message)" : "(file)";
}

/** Field for the next message, with commands, files, and the button that stops the turn. */
export function Composer({ conversation, agent }: { conversation: Conversation; agent: string }) {
  const { sessionKey } = conversation;
  const draft = draftOf(sessionKey);
  const attached = useSignal<readonly SentFile[]>([]);
  const problem = useSignal<string | undefined>(undefined);
  const proposals = useSignal<readonly Proposal[]>([]);
  const chosen = useSignal(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const isSecret = conversation.credential.value !== undefined;
  const isBusy = conversation.isBusy.value;
  const missing = missingScope("operator.write");
  const reason = refusalOf("operator.write");
  useEffect(() => {
    field.current?.focus();
    attached.value = [];
    problem.value = undefined;
  }, [sessionKey]);
  const words = draft.value;
  useEffect(() => {
    let isCurrent = true;
    chosen.value = 0;
    if (!words.startsWith("/")) {
      proposals.value = [];
      return undefined;
    }
    void proposalsFor(words).then((found) => {
      // A slow answer must not replace that to a later letter.
      if (isCurrent) proposals.value = found.filter((each) => each.draft.trim() !== words.trim());
    });
    return () => {
      isCurrent = false;
    };
  }, [words]);
  const send = () => {
    const message = draft.value;
    if (reason !== undefined || (message.trim() === "" && attached.value.length === 0)) return;
    const stand = standInFor(attached.value);
    conversation.send(message.trim() === "" ? stand : message, attached.value);
    setDraft(sessionKey, "");
    attached.value = [];
    problem.value = undefined;
  };
  const attach = async (chosenFiles: readonly File[]) => {
    const read = await readFiles(chosenFiles, attached.value.length);
    attached.value = [...attached.value, ...read.files];
    problem.value = read.problem;
  };
  const take = (proposal: Proposal) => {
    setDraft(sessionKey, proposal.draft, isSecret);
    proposals.value = [];
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const list = proposals.value;
    const proposal = list[chosen.value];
    if (proposal !== undefined && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : list.length - 1;
      chosen.value = (chosen.value + step) % list.length;
    } else if (proposal !== undefined && event.key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      take(proposal);
    } else if (event.key === "Escape" && list.length > 0) {
      event.preventDefault();
      proposals.value = [];
    } else if (event.key === "Escape" && isBusy) {
      event.preventDefault();
      conversation.stop();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      // Enter completes a part of a name, and sends a whole one.
      if (proposal !== undefined && !words.includes(" ")) take(proposal);
      else send();
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attach([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Proposals list={proposals.value} chosen={chosen.value} onChoose={take} />
      <div class="cbox">
        <label class="vh" for="message">
          {text.message}
        </label>
        <textarea
          ref={field}
          id="message"
          rows={2}
          value={words}
          placeholder={isSecret ? text.credentialPlaceholder : text.placeholder(agent)}
          aria-controls={proposals.value.length > 0 ? "proposals" : undefined}
          aria-activedescendant={
            proposals.value.length > 0 ? `proposal-${chosen.value}` : undefined
          }
          onInput={(event) => setDraft(sessionKey, event.currentTarget.value, isSecret)}
          onKeyDown={onKey}
          onPaste={(event) => {
            const pasted = [...(event.clipboardData?.files ?? [])];
            if (pasted.length === 0) return;
            event.preventDefault();
            void attach(pasted);
          }}
        />
        {attached.value.length > 0 && (
          <ul class="images">
            {attached.value.map((file, index) => (
              <li key={`${index} ${file.name}`} class="tag">
                {file.name}
                <button
                  type="button"
                  aria-label={text.remove(file.name)}
                  onClick={() => {
                    attached.value = attached.value.filter((each) => each !== file);
                  }}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        {problem.value !== undefined && (
          <p class="note t12" data-s="failed" role="alert">
            {problem.value}
          </p>
        )}
        <div class="cbar">
          <input
            ref={files}
            type="file"
            class="vh"
            tabIndex={-1}
            aria-hidden="true"
            multiple
            onChange={(event) => {
              void attach([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = "";
            }}
          />
          <button
            class="btn quiet small icon"
            type="button"
            aria-label={text.attach}
            title={text.attach}
            onClick={() => files.current?.click()}
          >
            <Icon name="attach" />
          </button>
          <RecordButton
            key={sessionKey}
            onRecorded={(file) => void attach([file])}
            onProblem={(words) => {
              problem.value = words;
            }}
          />
          <span class="dim t12 x">
            <kbd>↵</kbd> {text.send} <kbd>⇧</kbd> <kbd>↵</kbd> {text.newLine} <kbd>/</kbd>{" "}
            {text.commands}
          </span>
          <span class="end line">
            {reason !== undefined && <span class="dim t12">{reason}</span>}
            {isBusy && missing === undefined && (
              <button class="btn small" type="button" onClick={() => conversation.stop()}>
                {text.stop} <kbd>esc</kbd>
              </button>
            )}
            <button
              class="btn small primary icon"
              type="submit"
              aria-disabled={reason !== undefined}
              aria-label={isBusy ? text.queueMessage : text.sendMessage}
            >
              <Icon name="send" />
            </button>
          </span>
        </div>
      </div>
    </form>
  );
}
