/** Longest part whose repetition is a flood, in UTF-16 code units. */
const LONGEST_PART = 64;
/** Number of repetitions from which a text is a flood, and its least length. */
const REPETITIONS = 200;
const SHORTEST_FLOOD = 1500;

/** Returns the part that a text repeats so often that it says nothing else. */
export function floodedPart(text: string): string | undefined {
  const trimmed = text.trimEnd();
  if (trimmed.length < SHORTEST_FLOOD) return undefined;
  for (let length = 1; length <= LONGEST_PART; length += 1) {
    if (trimmed.length / length >= REPETITIONS && repeats(trimmed, length)) {
      return trimmed.slice(0, length);
    }
  }
  return undefined;
}

function repeats(text: string, length: number): boolean {
  for (let at = length; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== text.charCodeAt(at - length)) return false;
  }
  return true;
}
