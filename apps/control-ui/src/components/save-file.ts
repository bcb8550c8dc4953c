/**
 * Saves a text, or bytes, as a file of the browser.
 * @param content - content of the file
 * @param name - name of the file
 * @param type - media type
 */
export function saveFile(content: BlobPart, name: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
