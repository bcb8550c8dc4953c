/**
 * Saves a text as a file of the browser.
 * @param content - text
 * @param name - name of the file
 * @param type - media type
 */
export function saveFile(content: string, name: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
