import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import { faultOf } from "../../state/fault.js";
import { refusalOf } from "../../state/refusal.js";
import {
  endSessions,
  type ListedSession,
  patchSessions,
  sessionsFault,
} from "../../state/sessions.js";
import { text } from "./messages.js";
import { sessionTitle } from "./row.js";
import { exportSessions } from "./transcript.js";

/** What can be done with the selected sessions. */
export function SelectionBar({
  chosen,
  onDone,
}: {
  chosen: readonly ListedSession[];
  onDone(): void;
}) {
  const isLabelling = useSignal(false);
  const keys = chosen.map(({ sessionKey }) => sessionKey);
  const isPinned = chosen.every(({ pinned }) => pinned === true);
  const isArchived = chosen.every(({ archived }) => archived === true);
  const [first] = chosen;
  const what =
    chosen.length === 1 && first !== undefined
      ? text.named(sessionTitle(first))
      : text.count(chosen.length);
  const messages = text.messageCount(
    chosen.reduce((sum, { messageCount }) => sum + messageCount, 0),
  );
  const change = (changes: Parameters<typeof patchSessions>[1]) => {
    void patchSessions(keys, changes);
    onDone();
  };
  return (
    <>
      <span>{text.selected(chosen.length)}</span>
      <Act
        scope="operator.write"
        name={text.labelDialog}
        onClick={() => (isLabelling.value = true)}
      />
      <Act
        scope="operator.write"
        name={isPinned ? text.unpin : text.pin}
        onClick={() => change({ pinned: !isPinned })}
      />
      <Act
        scope="operator.write"
        name={isArchived ? text.takeBack : text.archive}
        onClick={() => change({ archived: !isArchived })}
      />
      <Act
        scope="operator.write"
        name={text.reset}
        onClick={() => {
          endSessions("sessions.reset", keys, text.wasReset(what, messages));
          onDone();
        }}
      />
      <Act
        scope="operator.read"
        name={text.exportLines}
        onClick={() => {
          exportSessions(chosen).catch((error: unknown) => {
            sessionsFault.value = faultOf(error);
          });
        }}
      />
      <Act
        scope="operator.admin"
        name={text.delete}
        isDangerous
        onClick={() => {
          endSessions("sessions.delete", keys, text.deleted(what, messages));
          onDone();
        }}
      />
      {isLabelling.value && (
        <LabelDialog
          label={chosen.length === 1 ? (first?.label ?? "") : ""}
          what={what}
          onClose={() => {
            isLabelling.value = false;
          }}
          onLabel={(label) => {
            isLabelling.value = false;
            change({ label: label === "" ? null : label });
          }}
        />
      )}
    </>
  );
}

function Act({
  name,
  scope,
  isDangerous = false,
  onClick,
}: {
  name: string;
  scope: "operator.read" | "operator.write" | "operator.admin";
  isDangerous?: boolean;
  onClick(): void;
}) {
  const reason = refusalOf(scope);
  return (
    <button
      class={isDangerous ? "btn quiet small danger" : "btn quiet small"}
      type="button"
      aria-disabled={reason !== undefined}
      title={reason}
      onClick={() => {
        if (reason === undefined) onClick();
      }}
    >
      {name}
    </button>
  );
}

function LabelDialog({
  label,
  what,
  onLabel,
  onClose,
}: {
  label: string;
  what: string;
  onLabel(label: string): void;
  onClose(): void;
}) {
  const typed = useSignal(label);
  return (
    <Dialog class="sm" titleId="label-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onLabel(typed.value.trim());
        }}
      >
        <header>
          <h2 id="label-title">{text.label}</h2>
          <p>{text.labelHelp(what)}</p>
        </header>
        <div class="in">
          <input
            class="input"
            aria-label={text.label}
            maxLength={200}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </div>
        <footer>
          <button class="btn" type="button" onClick={onClose}>
            {text.cancel} <kbd>esc</kbd>
          </button>
          <button class="btn primary" type="submit">
            {typed.value.trim() === "" ? text.removeLabel : text.saveLabel}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
