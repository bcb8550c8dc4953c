import { toast } from "../state/toast.js";
import { text } from "./messages.js";

/** Notice about what was done, with its undo. */
export function ToastNotice() {
  const shown = toast.value;
  return (
    <div role="status">
      {shown !== undefined && (
        <div class="toast">
          <span>{shown.text}</span>
          {shown.undo !== undefined && (
            <button class="btn small" type="button" onClick={shown.undo}>
              {text.undo} <kbd>⌘Z</kbd>
            </button>
          )}
        </div>
      )}
    </div>
  );
}
