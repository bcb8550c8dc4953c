import { useEffect, useRef } from "preact/hooks";
import { FaultNote } from "../../components/fault-note.js";
import { hostStatus } from "../../state/host.js";
import { gateway, isLive, missingScope } from "../../state/link.js";
import { filled } from "../../text/catalogue.js";
import { ConflictDialog, TextConflictDialog } from "./conflict-dialog.js";
import { text } from "./messages.js";
import { Keys, ReviewDialog } from "./review-dialog.js";
import {
  discardAll,
  fault,
  form,
  isStale,
  reviewForm,
  reviewText,
  step,
  textFile,
} from "./settings.js";

/** Number of changes, and what reviews and discards them. */
export function SaveButtons({ isText }: { isText: boolean }) {
  const { size } = form.changes.value;
  const file = textFile.value;
  const count = isText ? Number(file !== undefined && file.typed !== file.text) : size;
  const inSections = new Set([...form.changes.value.values()].map(({ path: [key] }) => key)).size;
  const missing = missingScope("operator.admin");
  const problems = isText ? 0 : form.problems.value.size;
  const reason =
    missing !== undefined
      ? text.mayNotChange(missing)
      : !isLive.value
        ? text.noConnection
        : count === 0
          ? text.nothingChanged
          : problems > 0
            ? text.fixFirst(problems)
            : undefined;
  const review = () => {
    if (reason === undefined) void (isText ? reviewText() : reviewForm());
  };
  useSaveKey(review);
  return (
    <div class="end">
      {count > 0 && (
        <span class="dim t12 num x">{text.changes(count, isText ? 1 : inSections)}</span>
      )}
      {count > 0 && (
        <button class="btn small" type="button" onClick={() => void discardAll()}>
          {text.discard}
        </button>
      )}
      <button
        class="btn small primary"
        type="button"
        aria-disabled={reason !== undefined}
        title={reason}
        onClick={review}
      >
        {text.review} <kbd>⌘S</kbd>
      </button>
    </div>
  );
}

/** Lets `Ctrl+S` review, in fields too. */
function useSaveKey(review: () => void): void {
  const latest = useRef(review);
  latest.current = review;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (step.value !== undefined) return;
      // A field takes what was typed when it loses the focus.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** Failures, and what waits for a restart or another token. */
export function SettingsNotes() {
  const missing = missingScope("operator.admin");
  const { pending = [] } = hostStatus.value?.configuration ?? {};
  return (
    <>
      {fault.value !== undefined && (
        <div class="setnote">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {isStale.value && (
        <p class="note t12 setnote" data-s="approval" role="status">
          <span>{text.changedMeanwhile}</span>
        </p>
      )}
      {pending.length > 0 && (
        <p class="note t12 setnote" data-s="approval">
          <span>
            {filled(text.restart, { keys: <Keys paths={pending.map((key) => [key])} /> })}
          </span>
        </p>
      )}
      {gateway.value !== undefined && missing !== undefined && (
        <p class="note t12 setnote">
          <span>{text.mayNotChange(missing)}</span>
        </p>
      )}
    </>
  );
}

/** Difference before saving, or what another person changed. */
export function SettingsDialogs() {
  const shown = step.value;
  if (shown === undefined) return null;
  if (shown.kind === "review") return <ReviewDialog of={shown.of} preview={shown.preview} />;
  if (shown.kind === "conflict") return <ConflictDialog conflict={shown} />;
  return <TextConflictDialog conflict={shown} />;
}
