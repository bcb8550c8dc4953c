import type { ComponentChildren } from "preact";
import { Dialog } from "../../components/dialog.js";
import { FaultNote } from "../../components/fault-note.js";
import { closedBecause, fault } from "./channels.js";
import { text } from "./messages.js";

/** Dialog before something that cannot be undone. */
export function ConfirmDialog({
  title,
  help,
  action,
  isDanger = false,
  children,
  onConfirm,
  onClose,
}: {
  title: string;
  help?: string | undefined;
  /** Name of the act. */
  action: string;
  isDanger?: boolean;
  children?: ComponentChildren;
  onConfirm(): void;
  onClose(): void;
}) {
  const reason = closedBecause();
  return (
    <Dialog class="sm" titleId="confirm-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === undefined) onConfirm();
        }}
      >
        <header>
          <h2 id="confirm-title">{title}</h2>
          {help !== undefined && <p>{help}</p>}
        </header>
        <div class="in">
          {children}
          {fault.value !== undefined && <FaultNote fault={fault.value} />}
        </div>
        <div class="decide">
          <button class="btn" type="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button
            class={isDanger ? "btn danger" : "btn primary"}
            type="submit"
            aria-disabled={reason !== undefined}
            title={reason}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
