import type { ApprovalSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import type { Answer } from "./decide.js";
import { text } from "./messages.js";
import { headlineOf } from "./words.js";

/** Most characters of a note, as the gateway accepts it. */
const MOST_CHARACTERS = 512;

/** Denial with a note that the model receives as the reason. */
export function DenyDialog({
  approval,
  onAnswer,
  onClose,
}: {
  approval: ApprovalSummary;
  onAnswer(answer: Answer): void;
  onClose(): void;
}) {
  const note = useSignal("");
  const deny = () => onAnswer({ decision: "deny", note: note.value });
  return (
    <Dialog class="sm" titleId="deny-title" onClose={onClose}>
      <header>
        <h2 id="deny-title">{text.denyWithNote}</h2>
        <p>{headlineOf(approval)}</p>
      </header>
      <div class="in">
        <div class="stack-s">
          <label for="deny-note">{text.denyQuestion}</label>
          <textarea
            class="input"
            id="deny-note"
            rows={3}
            maxLength={MOST_CHARACTERS}
            value={note.value}
            onInput={(event) => {
              note.value = event.currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              deny();
            }}
          />
        </div>
        <p class="dim t12">{text.denyHelp}</p>
      </div>
      <footer>
        <button class="btn" type="button" onClick={onClose}>
          {text.back} <kbd>esc</kbd>
        </button>
        <button class="btn danger" type="button" onClick={deny}>
          {text.deny}
        </button>
      </footer>
    </Dialog>
  );
}
