import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Properties of {@link Dialog}. */
interface DialogProps {
  /** ID of the heading, which names the dialog. */
  readonly titleId?: string;
  /** Name of a dialog without a heading. */
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  /** Called when the person closes it. */
  onClose(): void;
}

/** Modal dialog of the browser: it keeps the focus, closes with Escape, and gives the focus back to its opener. */
export function Dialog({ titleId, label, class: name, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={name}
      aria-labelledby={titleId}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        // The backdrop belongs to the dialog.
        if (event.target === element.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
