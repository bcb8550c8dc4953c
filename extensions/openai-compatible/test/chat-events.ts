/** Returns a complete reply of the chat completions API with the given text. */
export function chatEvents(text: string): string {
  const chunk = (choices: object[], rest: object = {}) =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", choices, ...rest })}\n\n`;
  return [
    chunk([{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
    chunk([], { usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }),
    "data: [DONE]\n\n",
  ].join("");
}
