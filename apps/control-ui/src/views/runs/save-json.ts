/**
 * Saves a value as a file of JSON.
 * @param value - value
 * @param name - name of the file, without its extension
 */
export function saveJson(value: object, name: string): void {
  const blob = new Blob([JSON.stringify(value, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
