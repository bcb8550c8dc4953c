import type { ApprovalSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import { filled } from "../../text/catalogue.js";
import { CommandList } from "./command-list.js";
import type { Answer } from "./decide.js";
import { TimeLeft } from "./inbox.js";
import { text } from "./messages.js";
import { headlineOf } from "./words.js";

/** Second confirmation of a critical request: the code of the request is typed (UI-015). */
export function CriticalDialog({
  approval,
  onAnswer,
  onClose,
}: {
  approval: ApprovalSummary;
  onAnswer(answer: Answer): void;
  onClose(): void;
}) {
  const { description, code, digest } = approval;
  const typed = useSignal("");
  const isRight = typed.value.trim().toUpperCase() === code.toUpperCase();
  return (
    <Dialog class="sm" titleId="critical-title" onClose={onClose}>
      <header>
        <h2 id="critical-title">{text.criticalTitle(headlineOf(approval))}</h2>
        <p>{description}</p>
      </header>
      <div class="in">
        <CommandList approval={approval} />
        <div class="stack-s">
          <label for="critical-code">
            {filled(text.typeCode, { code: <b class="mono">{code}</b> })}
          </label>
          <input
            class="input mono"
            id="critical-code"
            value={typed.value}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </div>
        <p class="dim t12">
          {filled(text.digestHelp, { digest: <code title={digest}>{digest.slice(0, 8)}</code> })}
        </p>
      </div>
      <footer>
        <span class="start num">
          {filled(text.left, { time: <TimeLeft approval={approval} /> })}
        </span>
        <button class="btn" type="button" onClick={onClose}>
          {text.back} <kbd>esc</kbd>
        </button>
        <button
          class="btn danger"
          type="button"
          aria-disabled={!isRight}
          onClick={() => {
            if (isRight) onAnswer({ decision: "allow-once" });
          }}
        >
          {text.allowOnce}
        </button>
      </footer>
    </Dialog>
  );
}
