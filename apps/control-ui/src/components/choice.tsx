import { text } from "./messages.js";

/** Filter with a fixed set of values. */
export function Choice({
  label,
  value,
  options,
  none = text.any,
  wordOf = (option) => option,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly string[];
  /** Word for no filter. */
  none?: string | undefined;
  /** Returns the word of a value; absent for names. */
  wordOf?: ((option: string) => string) | undefined;
  onChoose(value: string): void;
}) {
  return (
    <label class="choice">
      {label}
      <select
        class="select"
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">{none}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {wordOf(option)}
          </option>
        ))}
      </select>
    </label>
  );
}
