/** Switch, whose area is large enough for a finger; it says why it cannot be changed. */
export function SwitchBox({
  label,
  isOn,
  reason,
  onSwitch,
}: {
  label: string;
  isOn: boolean;
  /** Reason why it cannot be changed now. */
  reason: string | undefined;
  onSwitch(): void;
}) {
  return (
    <label class="switchbox">
      <input
        class="switch"
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-checked={isOn}
        checked={isOn}
        disabled={reason !== undefined}
        title={reason}
        onChange={onSwitch}
      />
    </label>
  );
}
