import { result, storeText } from "./memory";

/** Returns a text where the host reads it. */
export function returned(text: string): usize {
  const at = result(8);
  storeText(at, text);
  return at;
}

/** Returns the response of a tool: an output. */
export function success(output: string): usize {
  const at = result(24);
  store<u8>(at, 1);
  storeText(at + 4, output);
  return at;
}

/** Returns the response of a tool: an error for the model. */
export function failure(message: string): usize {
  const at = result(24);
  store<u8>(at + 12, 1);
  storeText(at + 16, message);
  return at;
}
