// The modules of the SDK import nothing that opens files (SDK-004), so these functions load it when they are called.
const replacement = () => import("@openclaw/foundation/file-replacement");

/**
 * Replaces a small file in one step with mode 0600, so that a reader sees the old or the new content, and no other
 * user sees either. Its folder is created.
 * @param file - absolute path
 * @param text - new content
 * @throws an error with the code `FILE_NOT_REPLACED` when the file can neither be replaced nor written; its content is
 * the old one
 */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  (await replacement()).writePrivateFile(file, text);
}

/**
 * Moves a file to another name in its folder, over a file that may have that name, as the rotation of a log does. A file
 * that is mounted alone cannot be moved: it is copied and then emptied. What another process appends at that moment is
 * lost.
 * @param file - absolute path
 * @param aside - path of the moved content
 * @throws an error with the code `FILE_NOT_REPLACED` when the file can neither be moved nor copied and emptied; its
 * content stays
 */
export async function moveAside(file: string, aside: string): Promise<void> {
  (await replacement()).moveAside(file, aside);
}

/**
 * Removes a file, if there is one. A file that is mounted alone cannot be removed: it is emptied.
 * @param file - absolute path
 * @throws an error with the code `FILE_NOT_REPLACED` when the file can neither be removed nor emptied
 */
export async function removeFile(file: string): Promise<void> {
  (await replacement()).removeFile(file);
}
