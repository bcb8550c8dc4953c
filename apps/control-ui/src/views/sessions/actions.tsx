import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import { isLive, missingScope } from "../../state/link.js";
import { endSessions, type ListedSession, patchSessions } from "../../state/sessions.js";
import { counted } from "../../text/format.js";
import { sessionTitle } from "./row.js";

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
      ? `Session ${sessionTitle(first)}`
      : counted(chosen.length, "session");
  const messages = counted(
    chosen.reduce((sum, { messageCount }) => sum + messageCount, 0),
    "message",
  );
  const change = (changes: Parameters<typeof patchSessions>[1]) => {
    void patchSessions(keys, changes);
    onDone();
  };
  return (
    <>
      <span>{chosen.length} selected</span>
      <Act scope="operator.write" name="Label…" onClick={() => (isLabelling.value = true)} />
      <Act
        scope="operator.write"
        name={isPinned ? "Unpin" : "Pin"}
        onClick={() => change({ pinned: !isPinned })}
      />
      <Act
        scope="operator.write"
        name={isArchived ? "Take back" : "Archive"}
        onClick={() => change({ archived: !isArchived })}
      />
      <Act
        scope="operator.write"
        name="Reset"
        onClick={() => {
          endSessions("sessions.reset", keys, `${what} is reset, ${messages} less`);
          onDone();
        }}
      />
      <Act
        scope="operator.admin"
        name="Delete"
        isDangerous
        onClick={() => {
          endSessions("sessions.delete", keys, `${what} deleted, ${messages}`);
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
  scope: "operator.write" | "operator.admin";
  isDangerous?: boolean;
  onClick(): void;
}) {
  const missing = missingScope(scope);
  const reason =
    missing !== undefined
      ? `Your token does not have ${missing}.`
      : isLive.value
        ? undefined
        : "There is no connection to the gateway.";
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
          <h2 id="label-title">Label</h2>
          <p>{what}. Without a label, a session has the name of its last message.</p>
        </header>
        <div class="in">
          <input
            class="input"
            aria-label="Label"
            maxLength={200}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </div>
        <footer>
          <button class="btn" type="button" onClick={onClose}>
            Cancel <kbd>esc</kbd>
          </button>
          <button class="btn primary" type="submit">
            {typed.value.trim() === "" ? "Remove label" : "Save label"}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
