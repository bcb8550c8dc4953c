/** Button that says why it does nothing. */
export function Act({
  name,
  label,
  reason,
  class: look = "btn small",
  onClick,
}: {
  name: string;
  /** Name with what it acts on, for screen readers. */
  label?: string;
  reason: string | undefined;
  class?: string;
  onClick(): void;
}) {
  return (
    <button
      class={look}
      type="button"
      aria-label={label}
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
