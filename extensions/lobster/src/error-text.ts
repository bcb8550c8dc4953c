const ABSOLUTE_PATH = /(?<![\w/:.])(?:file:\/\/)?\/(?:[\w.@+-]+\/)+([\w.@+-]+)/g;

/**
 * Returns a message without lines of a stack, and with the name of the file instead of an absolute path (LOB-008).
 * @param message - message of another program, or of Node.js
 */
export function withoutPaths(message: string): string {
  return message.replace(/\n\s+at .*/g, "").replace(ABSOLUTE_PATH, "$1");
}
